import { expect, test } from 'vitest';
import { growingDelay } from '../../src/core/growing-delay.js';

test('doubles from the first to the longest, and stays there however often it fails', () => {
  const limits = { firstMs: 500, maxMs: 3_000 };
  expect([0, 1, 2, 3, 4, 5, 5_000].map((failures) => growingDelay(failures, limits))).toEqual([
    500, 500, 1_000, 2_000, 3_000, 3_000, 3_000,
  ]);
});
