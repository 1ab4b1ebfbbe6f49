import type { Clock } from '../../core/clock.js';

interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A reason at hand: an abort without one makes an error with a stack. */
const inTime = new Error('the work was done in time');

/**
 * Runs `work` with a signal that aborts with the given one, or once `limitMs` have passed (then with a plain Error as
 * its reason). Settles as `work` does, so work that ignores its signal is not cut short.
 */
export const withTimeLimit = async <Result>(
  { clock, limitMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  signal.throwIfAborted();
  const inner = new AbortController();
  const timer = new AbortController();
  const onAbort = (): void => inner.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // The timer rejects when the work was faster, which is the usual case and nothing to act on.
  clock.sleep(limitMs, { signal: timer.signal }).then(
    () => inner.abort(new Error('time limit')),
    () => undefined,
  );
  try {
    return await work(inner.signal);
  } finally {
    timer.abort(inTime);
    signal.removeEventListener('abort', onAbort);
  }
};
