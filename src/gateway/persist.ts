import type { Clock } from '../core/clock.js';
import { StoreError } from '../core/errors.js';
import { growingDelay } from '../core/growing-delay.js';
import type { Logger } from '../core/logger.js';

/** Long enough to be gentle on a full disk, short enough that freed space is noticed at once. */
const delays = { firstMs: 500, maxMs: 15_000 };

export interface PersistDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops the waiting at shutdown. */
  readonly signal: AbortSignal;
  /** Told what stands in the way, and undefined when it is gone. */
  onTrouble(problem: string | undefined): void;
}

export type Persist = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Repeats a write until the store takes it, so that a full disk delays work instead of losing it. Every write of the
 * stores is atomic, so repeating one that was refused is safe. Rejects with what cannot heal, or at shutdown.
 */
export const createPersist = ({ clock, logger, signal, onTrouble }: PersistDeps): Persist => {
  return async (write) => {
    for (let failures = 1; ; failures += 1) {
      try {
        const result = await write();
        onTrouble(undefined);
        return result;
      } catch (error) {
        if (!(error instanceof StoreError) || error.retry.kind === 'never') throw error;
        onTrouble(error.userText ?? error.message);
        const delayMs = growingDelay(failures, delays);
        logger.error({ error, delayMs }, 'store refused a write, trying again');
        await clock.sleep(delayMs, { signal });
      }
    }
  };
};
