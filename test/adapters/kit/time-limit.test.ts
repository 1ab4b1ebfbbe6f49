import { expect, test } from 'vitest';
import { withTimeLimit } from '../../../src/adapters/kit/time-limit.js';
import type { Clock } from '../../../src/core/clock.js';

/** One timer, which goes off by hand. */
const oneTimerClock = () => {
  let wake = (): void => undefined;
  let wasCancelled = false;
  const clock: Pick<Clock, 'after'> = {
    after: (_ms, run) => {
      wake = run;
      return () => {
        wasCancelled = true;
      };
    },
  };
  return { clock, wake: () => wake(), wasCancelled: () => wasCancelled };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('work that is done in time gives its result and leaves no timer behind', async () => {
  const { clock, wasCancelled } = oneTimerClock();
  const limits = { clock, limitMs: 10, signal: new AbortController().signal };
  expect(await withTimeLimit(limits, async () => 'done')).toBe('done');
  expect(wasCancelled()).toBe(true);
});

test('the limit aborts the work', async () => {
  const { clock, wake } = oneTimerClock();
  const limits = { clock, limitMs: 10, signal: new AbortController().signal };
  const working = withTimeLimit(limits, untilAborted);
  wake();
  await expect(working).rejects.toThrow('time limit');
});

test('an abort from outside reaches the work with its reason', async () => {
  const { clock } = oneTimerClock();
  const stop = new AbortController();
  const working = withTimeLimit({ clock, limitMs: 10, signal: stop.signal }, untilAborted);
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(working).rejects.toBe(reason);
});

test('nothing begins after an abort', async () => {
  const { clock } = oneTimerClock();
  let hasBegun = false;
  const signal = AbortSignal.abort(new Error('stopped'));
  const working = withTimeLimit({ clock, limitMs: 10, signal }, async () => {
    hasBegun = true;
  });
  await expect(working).rejects.toThrow('stopped');
  expect(hasBegun).toBe(false);
});
