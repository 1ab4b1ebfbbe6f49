/**
 * Settles like `work`, or rejects with the signal's reason as soon as it aborts, whether or not `work` listens to it.
 * What the abandoned work does later is ignored.
 */
export const untilAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    // The reason is whatever the aborting side chose, and is passed on untouched.
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
