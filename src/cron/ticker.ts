/**
 * The tick. node-schedule rings it on the host's own clock; beside it the gateway's clock does, in small steps, so that a
 * long sleep or a clock that was set is noticed at the latest a tick later, and so that a test's clock drives it alike.
 */
import type { Clock } from '../core/clock.js';

export interface TickerOptions {
  readonly clock: Clock;
  readonly tickMs: number;
  readonly isReal: boolean;
  readonly signal: AbortSignal;
}

/** Resolves when the signal aborts. `tick` must not throw. */
export const driveBySchedule = async (
  tick: () => void,
  { clock, tickMs, isReal, signal }: TickerOptions,
): Promise<void> => {
  const silence = isReal ? (await import('./bell.js')).ringEveryMinute(tick) : undefined;
  try {
    while (!signal.aborted) {
      await clock.sleep(tickMs, { signal });
      tick();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    silence?.();
  }
};
