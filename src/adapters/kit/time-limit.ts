import type { Clock } from '../../core/clock.js';

interface TimeLimit {
  readonly clock: Pick<Clock, 'after'>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

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
  const onAbort = (): void => inner.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.after(limitMs, () => inner.abort(new Error('time limit')));
  try {
    return await work(inner.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
};
