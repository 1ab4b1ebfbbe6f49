import { describe, expect, it } from 'vitest';
import { formattedEnd, PARSE_BUDGET } from '../../../src/adapters/kit/markdown-budget.js';
import { parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';

const repeated = (pattern: string, units: number): string =>
  pattern.repeat(Math.ceil(units / pattern.length));

describe('formattedEnd', () => {
  it('reads every ordinary answer to its end', () => {
    const prose = repeated(
      'Some words of **prose** with `code` and\na [link](https://example.com/a), and so on.\n\n',
      150_000,
    );
    expect(formattedEnd(prose)).toBe(prose.length);
  });

  it.each(['# a\n', '~~a', 'a\n=\n', '- a\n\n    b\n', '> a\nb\n', '| x | y |\n', 'a**b*c***', '\n'])(
    'bounds what is parsed of a megabyte of %j',
    (pattern) => {
      const source = repeated(pattern, 1_000_000);
      const end = formattedEnd(source);
      const marks = source.slice(0, end).match(/[!#&*<>[\]\\_`|~]/g)?.length ?? 0;
      const lines = source.slice(0, end).split('\n').length - 1;
      expect(end).toBeGreaterThan(10_000);
      expect(marks).toBeLessThan(PARSE_BUDGET / 3);
      expect(lines).toBeLessThan(PARSE_BUDGET / 20);
      if (pattern.includes('\n')) expect(source.charAt(end - 1)).toBe('\n');
    },
  );

  it('cuts no character in two', () => {
    expect(formattedEnd('😀😀', 0.5)).toBe(0);
    expect(formattedEnd('😀😀', 1)).toBe(2);
    expect(formattedEnd('😀😀', 1.5)).toBe(2);
  });
});

describe('parseMarkdown', () => {
  it('shows what is beyond the budget as typed, and all of it', () => {
    const source = repeated('# head\n\n**bold**\n\n', 1_000_000);
    const blocks = parseMarkdown(source);
    const last = blocks.at(-1);
    expect(blocks.length).toBeLessThan(PARSE_BUDGET / 20);
    if (last?.type !== 'paragraph') throw new Error('the rest is a paragraph');
    const rest = last.children
      .map((it) => (it.type === 'text' ? it.text : it.type === 'break' ? '\n' : '?'))
      .join('');
    expect(rest).toBe(source.slice(-rest.length - 2).trim());
    const count = blocks.length - 1 + (rest.match(/# head|\*\*bold\*\*/g)?.length ?? 0);
    expect(count).toBe(source.match(/# head|\*\*bold\*\*/g)?.length);
  });
});
