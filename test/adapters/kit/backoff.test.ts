import { expect, test } from 'vitest';
import { createBackoff } from '../../../src/adapters/kit/backoff.js';
import type { Clock } from '../../../src/core/clock.js';

const recordingClock = (): { readonly clock: Clock; readonly slept: number[] } => {
  const slept: number[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: async (ms, { signal }) => {
      signal.throwIfAborted();
      slept.push(ms);
    },
    after: () => () => {},
  };
  return { clock, slept };
};

const options = { signal: new AbortController().signal };
const waitTimes = async (
  backoff: { wait(o: typeof options): Promise<void> },
  count: number,
): Promise<void> => {
  for (let index = 0; index < count; index += 1) await backoff.wait(options);
};

test('pauses double up to the longest one and stay there', async () => {
  const { clock, slept } = recordingClock();
  await waitTimes(createBackoff({ clock, firstMs: 1000, maxMs: 60_000, random: () => 0 }), 9);
  expect(slept).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('chance shortens a pause by a fifth at most, so that pauses still grow', async () => {
  const { clock, slept } = recordingClock();
  const chances = [0.999, 0, 0.999, 0.5];
  await waitTimes(
    createBackoff({ clock, firstMs: 1000, maxMs: 60_000, random: () => chances.shift() ?? 0 }),
    4,
  );
  expect(slept[0]).toBeLessThan(1000);
  expect(slept).toEqual([...slept].sort((a, b) => a - b));
  for (const [index, pause] of slept.entries()) expect(pause).toBeGreaterThanOrEqual(800 * 2 ** index);
});

test('a reset begins with the first pause again', async () => {
  const { clock, slept } = recordingClock();
  const backoff = createBackoff({ clock, firstMs: 1000, maxMs: 60_000, random: () => 0 });
  await waitTimes(backoff, 3);
  backoff.reset();
  await waitTimes(backoff, 1);
  expect(slept.at(-1)).toBe(1000);
});

test('an abort ends the pause with the reason of the signal', async () => {
  const { clock } = recordingClock();
  const stop = new AbortController();
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(createBackoff({ clock, firstMs: 1, maxMs: 2 }).wait(stop)).rejects.toBe(reason);
});
