import type { Clock } from '../core/clock.js';

/** Longer timers fire at once, so a longer sleep is several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const after: Clock['after'] = (ms, run) => {
  let left = Math.max(0, ms);
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const step = Math.min(left, MAX_TIMER_MS);
    left -= step;
    timer = setTimeout(left > 0 ? wait : run, step);
  };
  wait();
  return () => clearTimeout(timer);
};

/** The host's own time. */
export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  sleep: (ms, { signal }) =>
    new Promise((resolve, reject) => {
      // The reason is whatever the aborting side chose, and is passed on untouched.
      if (signal.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = after(ms, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    }),
  after,
});
