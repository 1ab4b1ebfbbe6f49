import type { Clock } from '../../core/clock.js';
import { growingDelay } from '../../core/growing-delay.js';

export interface Backoff {
  /** Waits for the next pause; rejects with `signal.reason` when the signal aborts. */
  wait(options: { readonly signal: AbortSignal }): Promise<void>;
  /** The pause that the next `wait` takes; asked again it gives the same. */
  readonly nextMs: number;
  /** The next pause is the first one again. */
  reset(): void;
}

export interface BackoffOptions {
  readonly clock: Clock;
  readonly firstMs: number;
  readonly maxMs: number;
  /** Gives numbers from 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Share of a pause that chance may take away: enough to part processes that failed together, and it still grows. */
const JITTER = 0.2;

/**
 * Pauses that double from `firstMs` to `maxMs` and then stay there for ever. How many there were is no reason to
 * give up; whoever waits decides that.
 */
export const createBackoff = ({ clock, firstMs, maxMs, random = Math.random }: BackoffOptions): Backoff => {
  let failures = 1;
  const draw = (): number => Math.round(growingDelay(failures, { firstMs, maxMs }) * (1 - JITTER * random()));
  let nextMs = draw();
  return {
    get nextMs() {
      return nextMs;
    },
    async wait(options) {
      const takenMs = nextMs;
      failures += 1;
      nextMs = draw();
      await clock.sleep(takenMs, options);
    },
    reset() {
      failures = 1;
      nextMs = draw();
    },
  };
};
