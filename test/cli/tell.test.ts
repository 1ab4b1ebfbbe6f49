import { expect, test } from 'vitest';
import { tell } from '../../src/cli/tell.js';

const told = (text: string): string => {
  let written = '';
  tell({ isTerminal: false, write: (piece) => (written += piece) }, text);
  return written;
};

const words = 'word '.repeat(20).trimEnd();

test.each([
  [`hermes send: ${words}`, /\n {2}word/],
  [`Warning: ${words}`, /\n {2}word/],
  [`    ${words}`, /\n {4}word/],
  [words, /\nword/],
])('%j is broken at 80 columns, later lines indented', (text, later) => {
  const lines = told(`${text}\nshort  and  spaced\n`);
  expect(lines).toMatch(later);
  expect(lines.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(lines.replace(/\s+/gu, ' ')).toBe(`${text}\nshort  and  spaced\n`.replace(/\s+/gu, ' '));
  expect(lines).toContain('\nshort  and  spaced\n');
});

test('a long path stays whole', () => {
  const path = `/${'folder/'.repeat(20)}`;
  expect(told(`Look into ${path} please`)).toContain(path);
});
