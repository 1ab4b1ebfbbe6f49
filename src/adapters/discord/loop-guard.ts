/** Two bots that answer each answer would go on for ever: after a few exchanges within a minute one of them is let be. */
import type { Clock } from '../../core/clock.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import { remember } from '../kit/remember.js';

const WINDOW_MS = 60_000;
const MAX_EXCHANGES = 6;
const MAX_PAIRS = 500;

interface Pair {
  times: readonly number[];
  isTold: boolean;
}

export class LoopGuard {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pairs = new Map<string, Pair>();

  constructor(ports: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** False for a message of a bot that has written too often of late in this chat. */
  admits({ sender, origin }: InboundEvent): boolean {
    if (!sender.isBot) return true;
    const key = `${origin.chat}:${origin.thread ?? ''}:${sender.user}`;
    const now = this.#clock.now();
    const pair = this.#pairs.get(key) ?? { times: [], isTold: false };
    pair.times = pair.times.filter((at) => now - at < WINDOW_MS && at <= now);
    remember(this.#pairs, key, pair, MAX_PAIRS);
    if (pair.times.length < MAX_EXCHANGES) {
      pair.times = [...pair.times, now];
      pair.isTold = false;
      return true;
    }
    // Its further messages keep the window full: the pair rests until the other one does.
    pair.times = [...pair.times.slice(1), now];
    if (!pair.isTold)
      this.#logger.warn(
        { chat: origin.chat, bot: sender.user, exchanges: MAX_EXCHANGES },
        'another bot answers every answer; it is ignored until it has been quiet for a minute',
      );
    pair.isTold = true;
    return false;
  }
}
