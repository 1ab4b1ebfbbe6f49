import { expect, test } from 'vitest';
import { withTimeLimit } from '../../../src/adapters/kit/time-limit.js';
import type { Clock } from '../../../src/core/clock.js';

/** One sleeper, woken by hand. */
const oneSleepClock = () => {
  let wake = (): void => undefined;
  let wasCancelled = false;
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, { signal }) =>
      new Promise((resolve, reject) => {
        wake = resolve;
        signal.addEventListener('abort', () => {
          wasCancelled = true;
          reject(signal.reason);
        });
      }),
  };
  return { clock, wake: () => wake(), wasCancelled: () => wasCancelled };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('work that is done in time gives its result and leaves no timer behind', async () => {
  const { clock, wasCancelled } = oneSleepClock();
  const limits = { clock, limitMs: 10, signal: new AbortController().signal };
  expect(await withTimeLimit(limits, async () => 'done')).toBe('done');
  expect(wasCancelled()).toBe(true);
});

test('the limit aborts the work', async () => {
  const { clock, wake } = oneSleepClock();
  const limits = { clock, limitMs: 10, signal: new AbortController().signal };
  const working = withTimeLimit(limits, untilAborted);
  wake();
  await expect(working).rejects.toThrow('time limit');
});

test('an abort from outside reaches the work with its reason', async () => {
  const { clock } = oneSleepClock();
  const stop = new AbortController();
  const working = withTimeLimit({ clock, limitMs: 10, signal: stop.signal }, untilAborted);
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(working).rejects.toBe(reason);
});

test('nothing begins after an abort', async () => {
  const { clock } = oneSleepClock();
  let hasBegun = false;
  const signal = AbortSignal.abort(new Error('stopped'));
  const working = withTimeLimit({ clock, limitMs: 10, signal }, async () => {
    hasBegun = true;
  });
  await expect(working).rejects.toThrow('stopped');
  expect(hasBegun).toBe(false);
});
