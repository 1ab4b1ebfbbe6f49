import type { CancelTimer, Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { Activity, PlatformAdapter } from '../../core/platform.js';
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
  /** Cuts a call off; the end of the indicator does not, since a connection would be lost with it. */
  readonly callSignal: AbortSignal;
  /** Default: typing. */
  readonly activity?: Activity;
}

/** Shows the typing indicator until the returned function is called. A lost indicator is no failure. */
export const startTyping = ({
  route,
  adapter,
  clock,
  logger,
  callSignal,
  activity = 'typing',
}: TypingOptions): CancelTimer => {
  const { typing } = adapter;
  if (typing === undefined) return () => {};
  const endsAt = clock.now() + MAX_MS;
  let isOver = false;
  const show = async (): Promise<void> => {
    if (clock.now() >= endsAt) return;
    try {
      await typing.show(route, { signal: callSignal, activity });
      if (!isOver) cancel = clock.after(Math.max(typing.lastsMs - MARGIN_MS, MARGIN_MS), () => void show());
    } catch (error) {
      if (!isOver) logger.debug({ error, chat: route.chat }, 'typing indicator failed');
    }
  };
  let cancel = clock.after(FIRST_MS, () => void show());
  return () => {
    isOver = true;
    cancel();
  };
};
