import type { Clock } from '../core/clock.js';

/** Longer timers fire at once, so a longer sleep is several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** The host's own time. */
export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  sleep: async (ms, { signal }) => {
    signal.throwIfAborted();
    for (let left = Math.max(0, ms); ; left -= MAX_TIMER_MS) {
      await wait(Math.min(left, MAX_TIMER_MS), signal);
      if (left <= MAX_TIMER_MS) return;
    }
  },
});
