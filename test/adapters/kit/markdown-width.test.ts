import { expect, it } from 'vitest';
import { displayWidth } from '../../../src/adapters/kit/markdown-width.js';

it.each([
  ['abc', 3],
  ['中文', 4],
  ['ｆｕｌｌ，', 10],
  ['한글かな', 8],
  ['é', 1],
  ['e\u0301', 1],
  ['😀', 2],
  ['👍🏽', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['a\u200bb', 2],
])('counts the columns of %j', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});
