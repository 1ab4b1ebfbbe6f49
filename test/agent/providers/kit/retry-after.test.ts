import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../../../src/agent/providers/kit/retry-after.js';

const now = Date.UTC(2030, 0, 1);

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '1500', 'retry-after': '99' }, 1500],
  [{ 'retry-after': new Date(now + 3000).toUTCString() }, 3000],
  [{ 'retry-after': new Date(now - 3000).toUTCString() }, 0],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('the headers %o ask for a wait of %s ms', (headers, waitMs) => {
  expect(parseRetryAfter(new Headers(headers), now)).toBe(waitMs);
});

test('no headers ask for nothing', () => {
  expect(parseRetryAfter(undefined, now)).toBeUndefined();
});
