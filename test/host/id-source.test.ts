import { expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.js';
import { createIdSource } from '../../src/host/id-source.js';

const clockAt = (...times: readonly number[]): Clock => {
  let index = 0;
  return {
    now: () => times[Math.min(index++, times.length - 1)] ?? 0,
    sleep: async () => {},
    after: () => () => {},
  };
};

const make = (count: number, clock: Clock): string[] => {
  const ids = createIdSource(clock);
  return Array.from({ length: count }, () => ids.next('turn'));
};

test('an id tells its kind', () => {
  const ids = createIdSource(clockAt(1));
  expect(ids.next('session')).toMatch(/^ses_[0-9a-z]{25}$/);
  expect(ids.next('tool-call')).toMatch(/^call_[0-9a-z]{25}$/);
});

test('ids of one millisecond are all different and sort as they were made', () => {
  const made = make(40_000, clockAt(1_700_000_000_000));
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
});

test('ids sort as they were made also while the clock steps back', () => {
  const made = make(6, clockAt(1_700_000_000_500, 1_700_000_000_000, 0, 1_700_000_000_600, 5));
  expect(made.toSorted()).toEqual(made);
});

test('later ids sort behind earlier ones, across lives of the process', () => {
  const [early] = make(1, clockAt(1_700_000_000_000));
  const [late] = make(1, clockAt(9_999_999_999_999));
  expect([late, early].toSorted()).toEqual([early, late]);
});

test('two lives in the same millisecond make different ids', () => {
  expect(make(1, clockAt(7))).not.toEqual(make(1, clockAt(7)));
});
