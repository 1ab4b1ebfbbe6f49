import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { median, percentile } from './percentile.js';

const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 200 });

describe('percentile', () => {
  test('takes the value at the nearest rank, whatever the order', () => {
    expect(percentile([15, 50, 20, 40, 35], 30)).toBe(20);
    expect(percentile([15, 50, 20, 40, 35], 40)).toBe(20);
    expect(percentile([15, 50, 20, 40, 35], 50)).toBe(35);
    expect(percentile([15, 50, 20, 40, 35], 100)).toBe(50);
    expect(percentile([7], 99)).toBe(7);
  });

  test('has its share of the values at or below it, and no smaller value has', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const found = percentile(values, percent);
        const shareUpTo = (limit: number) => values.filter((value) => value <= limit).length / values.length;
        expect(values).toContain(found);
        expect(shareUpTo(found)).toBeGreaterThanOrEqual(percent / 100);
        for (const smaller of values.filter((value) => value < found)) {
          expect(shareUpTo(smaller)).toBeLessThan(percent / 100);
        }
      }),
    );
  });

  test('refuses an empty list', () => {
    expect(() => percentile([], 50)).toThrow(RangeError);
  });

  test('leaves the list as it was', () => {
    const values = [3, 1, 2];
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('median', () => {
  test('is the middle value of an odd number of values', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  test('is the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });
});
