import { expect, test } from 'vitest';
import { wrap } from '../../src/cli/wrap.js';

test.each([
  ['short', 'short'],
  ['one two three four', 'one two\n  three\n  four'],
  ['averyveryverylongword b', 'averyveryverylongword\n  b'],
  ['', ''],
])('%j becomes %j', (text, lines) => {
  expect(wrap(text, { width: 8, indent: '  ' })).toBe(lines);
});
