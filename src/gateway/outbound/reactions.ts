/**
 * Reactions under the messages that a turn answers. An acknowledgement and no more: not stored, in the order they were
 * meant, and one that fails is forgotten.
 */
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { ReactingFacet, Reaction } from '../../core/platform.js';
import type { Route } from '../../core/route.js';

interface ReactionsOptions {
  readonly route: Route;
  readonly facet: ReactingFacet;
  readonly logger: Logger;
  /** Cuts calls off. */
  readonly callSignal: AbortSignal;
}

export class Reactions {
  readonly #options: ReactionsOptions;
  readonly #messages = new Set<MessageId>();
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: ReactionsOptions) {
    this.#options = options;
  }

  /** They are being worked on. */
  begin(messages: readonly MessageId[]): void {
    for (const message of messages) {
      if (this.#isOver || this.#messages.has(message)) continue;
      this.#messages.add(message);
      this.#react(message, 'working');
    }
  }

  /** What came of it; undefined takes the reactions away. The first call counts. */
  end(outcome: Reaction | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const message of this.#messages) this.#react(message, outcome);
  }

  #react(message: MessageId, reaction: Reaction | undefined): void {
    const { route, facet, logger, callSignal } = this.#options;
    this.#last = this.#last
      .then(() => facet.react({ route, message }, reaction, { signal: callSignal }))
      .catch((error: unknown) => logger.debug({ error, chat: route.chat }, 'reaction failed'));
  }
}
