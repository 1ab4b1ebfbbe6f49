import type { Clock } from '../../core/clock.js';
import type { InboundMessage } from '../../core/inbound.js';
import type { BusyPolicy } from '../settings.js';

/** A message that a quick turn takes up at once needs no acknowledgement; after this time silence looks like loss. */
const GRACE_MS = 1_000;

/** A burst is over when nothing came for so long. */
const QUIET_MS = 10_000;

const text: Readonly<Record<BusyPolicy, string>> = {
  steer: '⏩ Noted. I take it into account at the next step.',
  queue: '⏳ I am still working. Your message is next.',
  interrupt: '⚡ I stop what I was doing and turn to your message.',
};

interface BusyNoticeDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  policyOf(event: InboundMessage): BusyPolicy;
  /** False once the message has been taken up. */
  isWaiting(event: InboundMessage): boolean;
  say(event: InboundMessage, text: string): Promise<unknown>;
}

/** Tells a person who writes during a turn, once a turn, what becomes of the message. */
export class BusyNotices {
  readonly #deps: BusyNoticeDeps;
  readonly #told = new Set<string>();
  /** Until when a session that interrupts says nothing more: each message of a burst ends the turn of the one before. */
  readonly #quietUntil = new Map<string, number>();

  constructor(deps: BusyNoticeDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  async onWaiting(key: string, event: InboundMessage): Promise<void> {
    const { clock, signal, policyOf, isWaiting, say } = this.#deps;
    const policy = policyOf(event);
    if (policy === 'interrupt') {
      if (this.#mayTell(key)) await say(event, text.interrupt);
      return;
    }
    if (this.#told.has(key)) return;
    this.#told.add(key);
    try {
      await clock.sleep(GRACE_MS, { signal });
    } catch {
      return;
    }
    if (isWaiting(event)) await say(event, text[policy]);
    else this.#told.delete(key);
  }

  #mayTell(key: string): boolean {
    const now = this.#deps.clock.now();
    for (const [one, until] of this.#quietUntil) if (until <= now) this.#quietUntil.delete(one);
    const isQuiet = this.#quietUntil.has(key);
    this.#quietUntil.set(key, now + QUIET_MS);
    return !isQuiet;
  }

  onTurnOver(key: string): void {
    this.#told.delete(key);
  }
}
