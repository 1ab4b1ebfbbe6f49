/**
 * Slash commands that wait for their answer. Discord shows "interaction failed" unless one is acknowledged within three
 * seconds, and "is thinking…" until the first answer: that one fills the acknowledgement, later ones follow it. What
 * nobody answers in time, and what a restart forgot, is answered in the channel.
 */
import type { Clock } from '../../core/clock.js';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import { remember } from '../kit/remember.js';
import type { DiscordClient } from './client.js';
import type { Call } from './decode-call.js';
import { interactionOf } from './ids.js';

/** A quarter of an hour is what Discord gives; a little less, so that no answer is sent to a token just gone. */
const LASTS_MS = 14 * 60_000;
const DEFERRED_MESSAGE = 5;
const MAX_CALLS = 1_000;

export interface OpenCall extends Call {
  readonly expiresAt: number;
  /** Whether Discord took the acknowledgement. Never rejects. */
  readonly isAcknowledged: Promise<boolean>;
  /** Something fills the acknowledgement already. */
  isAnswered: boolean;
}

export class Calls {
  readonly #open = new Map<string, OpenCall>();
  readonly #client: DiscordClient;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(ports: { readonly client: DiscordClient; readonly clock: Clock; readonly logger: Logger }) {
    this.#client = ports.client;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** Tells Discord that the command arrived. One that is refused is answered in the channel all the same. */
  acknowledge(call: Call, signal: AbortSignal): void {
    const expiresAt = this.#clock.now() + LASTS_MS;
    // Kept before Discord has answered: the command's own answer may be faster.
    const open = { ...call, expiresAt, isAcknowledged: this.#tell(call, signal), isAnswered: false };
    remember(this.#open, call.id, open, MAX_CALLS);
  }

  async #tell({ id, token }: Call, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await this.#client.call(
        {
          verb: 'POST',
          path: `/interactions/${id}/${token}/callback`,
          body: { type: DEFERRED_MESSAGE },
          isOpen: true,
        },
        { signal },
      );
      if (!result.ok) this.#logger.warn({ failure: result.failure }, 'a command could not be acknowledged');
      return result.ok;
    } catch {
      // We are stopping: whoever answers after the next start does so in the channel.
      return false;
    }
  }

  /** The call that a message answers, while its token is good. */
  find(replyTo: MessageId | undefined): OpenCall | undefined {
    const id = replyTo === undefined ? undefined : interactionOf(replyTo);
    const call = id === undefined ? undefined : this.#open.get(id);
    if (call === undefined) return undefined;
    if (call.expiresAt > this.#clock.now()) return call;
    this.#open.delete(call.id);
    return undefined;
  }

  forget(call: OpenCall): void {
    this.#open.delete(call.id);
  }
}
