import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeMarkdown, encodePreview, TEXT_LIMIT_UNITS } from '../../../src/adapters/discord/encode.js';
import { flattenMarkdown } from '../../../src/adapters/kit/markdown-flatten.js';
import { parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';
import { propertyRuns } from '../../setup/property-runs.js';

const contentsOf = (markdown: string, limit?: number): readonly string[] =>
  encodeMarkdown(markdown, limit).map(({ content }) => content);

describe('Markdown in Discord', () => {
  test.each([
    ['**bold** and *it* and ~~gone~~ and ||secret||', '**bold** and *it* and ~~gone~~ and ||secret||'],
    ['# A title\n\ntext', '**A title**\n\ntext'],
    ['- one\n- two', '• one\n• two'],
    ['see [the page](https://example.org/a_b)', 'see [the page](<https://example.org/a_b>)'],
    ['https://example.org/a_b_c*d', 'https://example.org/a_b_c*d'],
    ['a file [here](notes.md)', 'a file here (notes.md)'],
    ['snake_case_name and 2 * 3 * 4', 'snake\\_case\\_name and 2 \\* 3 \\* 4'],
    ['> quoted\n> lines', '> quoted\n> lines'],
    ['`a_b` and `` x`y ``', '`a_b` and ``x`y``'],
    ['```py\nx = 1\n```', '```py\nx = 1\n```'],
    ['````\n```\ninner\n```\n````', '```\n`\u200b`\u200b`\ninner\n`\u200b`\u200b`\n```'],
    ['\\# no title', '\\# no title'],
    ['hi <@111> in <#222> <:wave:333>', 'hi <@111> in <#222> <:wave:333>'],
    ['@everyone', '@everyone'],
    ['**bold *and it* bold**', '**bold *and it* bold**'],
  ])('%j is sent as %j', (markdown, content) => {
    expect(contentsOf(markdown)).toEqual([content]);
  });

  test('a table stays in columns', () => {
    expect(contentsOf('| a | bb |\n|---|---|\n| 1 | 2 |')[0]).toMatch(
      /^```\n[\s\S]*a[\s\S]*bb[\s\S]*\n```$/u,
    );
  });

  test('nothing to see gives no message', () => {
    for (const markdown of ['', ' \n', '\u200b']) expect(contentsOf(markdown)).toEqual([]);
  });

  test('a fence is closed and opened again with its language', () => {
    const code = Array.from({ length: 200 }, (_, index) => `  line(${index})`).join('\n');
    const contents = contentsOf(`\`\`\`js\n${code}\n\`\`\``);
    expect(contents.length).toBeGreaterThan(1);
    for (const content of contents) expect(content).toMatch(/^```js\n {2}line[\s\S]*\n```$/u);
  });

  test('a preview closes what is still open and stays within one message', () => {
    expect(encodePreview('**half')?.content).toBe('**half**');
    expect(encodePreview('```py\nx =')?.content).toBe('```py\nx =\n```');
    expect(encodePreview('')).toBeUndefined();
    expect(encodePreview('word '.repeat(10_000))?.content.length).toBeLessThanOrEqual(TEXT_LIMIT_UNITS);
  });
});

const piece = fc.constantFrom(
  'word ',
  '**bold** ',
  '*it* ',
  '`code` ',
  '[a](https://example.org) ',
  '\n\n',
  '\n- item ',
  '\n> quote ',
  '_under_',
  '\n```js\ncode();\n\tmore\n```\n',
  '~~x~~',
  '||y||',
  '***',
  '\\',
  '```',
  '🙂',
  '漢字',
  '\u200b',
  '# ',
  '| a | b |\n|-|-|\n| 1 | 2 |\n',
  '<@123> ',
  '&amp;',
);
const documents = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));
const visible = (text: string): string => text.replace(/[\s\u200b]/gu, '');

describe('any document', () => {
  test('gives messages within the limit, with closed fences, that hold all of its words', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(200, 500, 2000), (markdown, limit) => {
        const messages = encodeMarkdown(markdown, limit);
        for (const { content } of messages) {
          expect(content.length).toBeLessThanOrEqual(limit);
          expect(content).toBe(content.trim());
        }
        const canLink = (url: string): boolean => url.startsWith('https://');
        const whole = flattenMarkdown(parseMarkdown(markdown), { canLink, tableColumns: 60 }).text;
        expect(visible(messages.map(({ text }) => text).join(''))).toBe(visible(whole));
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
