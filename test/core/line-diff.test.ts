import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffTexts } from '../../src/core/line-diff.js';

describe('a diff', () => {
  test('shows what changed with three lines around it', () => {
    const before = Array.from({ length: 20 }, (_each, index) => `line ${index + 1}\n`).join('');
    const { text, added, removed } = diffTexts(before, before.replace('line 10\n', 'ten\nten and a half\n'));
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
    expect(text).toBe(
      '@@ -7,7 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n+ten and a half\n line 11\n line 12\n line 13',
    );
  });

  test('of a new file has nothing but additions; of equal texts there is none', () => {
    expect(diffTexts('', 'a\nb\n')).toEqual({ text: '@@ -0,0 +1,2 @@\n+a\n+b', added: 2, removed: 0 });
    expect(diffTexts('a', 'a')).toEqual({ text: '', added: 0, removed: 0 });
  });

  test('tells a last line without its end from one with it', () => {
    expect(diffTexts('a\n', 'a').text).toBe('@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file');
  });

  test('of texts that have nothing in common is done at once', () => {
    const lines = (name: string) => Array.from({ length: 20_000 }, (_each, at) => `${name} ${at}`).join('\n');
    const before = process.cpuUsage();
    expect(diffTexts(lines('a'), lines('b'))).toMatchObject({ added: 20_000, removed: 20_000 });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

/** Puts a diff into a text as the usual programs do, by line numbers alone. */
const apply = (before: string, diff: string): string => {
  const lines = before === '' ? [] : before.replace(/\n$/u, '').split('\n');
  let shift = 0;
  for (const hunk of diff.split(/^(?=@@ )/mu).filter((part) => part !== '')) {
    const [head = '', ...body] = hunk.replace(/\n$/u, '').split('\n');
    const [, at = '0', count = '0'] = /^@@ -(\d+),(\d+)/u.exec(head) ?? [];
    const start = Number(at) - (count === '0' ? 0 : 1) + shift;
    const kept = body.filter((line) => /^[ +]/u.test(line)).map((line) => line.slice(1));
    lines.splice(start, Number(count), ...kept);
    shift += kept.length - Number(count);
  }
  return lines.map((line) => `${line}\n`).join('');
};

test('any diff leads from the one text to the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, diffTexts(before, after).text)).toBe(after);
    }),
    { seed: 7, numRuns: 500 },
  );
});
