import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { Route } from '../../core/route.js';

/** Answers that come at once need no indicator, and a call less is a call less. */
const FIRST_MS = 250;
/** An indicator that goes on for ever says nothing; long work shows itself by its tool steps. */
const MAX_MS = 10 * 60_000;
/** Renewed this much before it fades. */
const MARGIN_MS = 1_000;

interface TypingOptions {
  readonly route: Route;
  readonly adapter: PlatformAdapter;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the indicator. */
  readonly signal: AbortSignal;
  /** Cuts a call off; the end of the indicator does not, since a connection would be lost with it. */
  readonly callSignal: AbortSignal;
}

/** Shows the typing indicator until the signal aborts. Never rejects: a lost indicator is no failure. */
export const showTyping = async ({
  route,
  adapter,
  clock,
  logger,
  signal,
  callSignal,
}: TypingOptions): Promise<void> => {
  const { typing } = adapter;
  if (typing === undefined) return;
  const endsAt = clock.now() + MAX_MS;
  try {
    await clock.sleep(FIRST_MS, { signal });
    while (clock.now() < endsAt) {
      await typing.show(route, { signal: callSignal });
      await clock.sleep(Math.max(typing.lastsMs - MARGIN_MS, MARGIN_MS), { signal });
    }
  } catch (error) {
    if (!signal.aborted) logger.debug({ error, chat: route.chat }, 'typing indicator failed');
  }
};
