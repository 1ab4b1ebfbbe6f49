import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSystemClock } from '../../src/host/system-clock.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const neverAborts = new AbortController().signal;
const DAY_MS = 86_400_000;

test('tells the time of the host', () => {
  expect(createSystemClock().now()).toBe(1_000);
});

test.each([0, -5, 1, 60_000])('sleeps %i ms', async (ms) => {
  const clock = createSystemClock();
  const slept = clock.sleep(ms, { signal: neverAborts }).then(() => clock.now());
  await vi.runAllTimersAsync();
  expect(await slept).toBe(1_000 + Math.max(ms, 0));
});

test('sleeps longer than a timer can hold', async () => {
  const clock = createSystemClock();
  const slept = clock.sleep(60 * DAY_MS, { signal: neverAborts }).then(() => clock.now());
  await vi.runAllTimersAsync();
  expect(await slept).toBe(1_000 + 60 * DAY_MS);
});

test('an abort ends the sleep with its reason and leaves no timer', async () => {
  const stop = new AbortController();
  const slept = createSystemClock().sleep(60 * DAY_MS, { signal: stop.signal });
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(slept).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not begin to sleep once aborted', async () => {
  const reason = new Error('stopped before');
  await expect(createSystemClock().sleep(5, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('a sleep that ended leaves no listener behind', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const slept = createSystemClock().sleep(5, { signal });
  await vi.runAllTimersAsync();
  await slept;
  expect(removed).toHaveBeenCalledOnce();
});

test.each([0, -5, 1, 60_000, 60 * DAY_MS])('calls once after %i ms', async (ms) => {
  const clock = createSystemClock();
  const calledAt: number[] = [];
  clock.after(ms, () => calledAt.push(clock.now()));
  await vi.runAllTimersAsync();
  expect(calledAt).toEqual([1_000 + Math.max(ms, 0)]);
});

test('what was called off is not called and leaves no timer', async () => {
  const clock = createSystemClock();
  let calls = 0;
  const cancel = clock.after(60 * DAY_MS, () => {
    calls += 1;
  });
  await vi.advanceTimersByTimeAsync(30 * DAY_MS);
  cancel();
  cancel();
  expect(vi.getTimerCount()).toBe(0);
  await vi.runAllTimersAsync();
  expect(calls).toBe(0);
});
