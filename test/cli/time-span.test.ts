import { expect, test } from 'vitest';
import { formatSpan } from '../../src/cli/time-span.js';

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000, '1 d'],
  [100_000_000, '1 d 3 h'],
])('%i ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});
