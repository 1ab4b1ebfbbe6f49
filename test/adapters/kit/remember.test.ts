import { expect, test } from 'vitest';
import { remember } from '../../../src/adapters/kit/remember.js';

test('what was put there longest ago goes, and what is put again counts as new', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'c']) remember(map, key, 1, 3);
  remember(map, 'a', 2, 3);
  remember(map, 'd', 1, 3);
  expect([...map]).toEqual([
    ['c', 1],
    ['a', 2],
    ['d', 1],
  ]);
});
