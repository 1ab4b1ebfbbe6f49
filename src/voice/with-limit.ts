import type { Clock } from '../core/clock.js';
import { engineError } from './engine-error.js';

/** Gives up on work that takes too long. Rejects as the work does, with an engine's error, or with the signal's reason. */
export const withLimit = async <Result>(
  name: string,
  {
    clock,
    limitMs,
    signal,
  }: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  signal.throwIfAborted();
  const over = new AbortController();
  const tooLate = engineError(`${name} did not answer within ${Math.round(limitMs / 1000)} s`);
  const cancel = clock.after(limitMs, () => over.abort(tooLate));
  try {
    return await work(AbortSignal.any([signal, over.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw over.signal.aborted ? tooLate : error;
  } finally {
    cancel();
  }
};
