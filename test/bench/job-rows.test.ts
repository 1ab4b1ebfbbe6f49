import { expect, test } from 'vitest';
import { toJobRows } from './job-rows.js';

const time = (mostMs: number) => ({
  ticks: [
    { jobs: 10, cpuMs: 0.02 },
    { jobs: 1_000, cpuMs: 0.1 },
    { jobs: 100_000, cpuMs: mostMs },
  ],
  dueAtOnce: 500,
  dueMs: 1_200.4,
  bytesPerJob: -3,
});

test('a tick with the most jobs is held against one with the fewest', () => {
  const [, middle, most] = toJobRows(time(0.06));
  expect(middle).not.toHaveProperty('isReached');
  expect(most).toMatchObject({ gateway: '60.0 µs', ratio: '3.00× (CPU)', bar: '≤ 3×' });
  expect(toJobRows(time(0.059))[2]?.isReached).toBe(true);
  expect(toJobRows(time(0.061))[2]?.isReached).toBe(false);
});

test('what has no bar is shown', () => {
  expect(
    toJobRows(time(0.02))
      .slice(3)
      .map(({ name, gateway }) => [name, gateway]),
  ).toEqual([
    ['500 jobs due at once', '1200 ms'],
    ['memory an idle job', '0.0 bytes'],
  ]);
});
