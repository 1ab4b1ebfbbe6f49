import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../api-error.js';
import { type Entity, familyOf } from './entity.js';
import { fixEntities } from './fix.js';
import { formatText } from './format.js';

interface Formatted {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly warnings: readonly string[];
}

const LIMIT = { maxLength: 4096, emptyReason: 'message text is empty', tooLongReason: 'message is too long' };

function format(text: string, options: { parseMode?: string; entities?: unknown } = {}): Formatted {
  const warnings: string[] = [];
  const parameters = { text, parseMode: options.parseMode, entities: options.entities };
  return { ...formatText(parameters, LIMIT, (warning) => warnings.push(warning)), warnings };
}

function refusal(text: string, options: { parseMode?: string; entities?: unknown } = {}): string {
  try {
    format(text, options);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return 'taken';
}

const entity = (type: string, offset: number, length: number, more: object = {}): Entity => ({
  type,
  offset,
  length,
  ...more,
});

describe('entities that are refused', () => {
  test.each([
    [
      'beyond the end',
      [entity('bold', 3, 3)],
      'Bad Request: entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 6',
    ],
    [
      'after the end',
      [entity('bold', 9, 1)],
      'Bad Request: entity begins after the end of the text at UTF-16 offset 9',
    ],
    [
      'from the middle of a pair',
      [entity('bold', 2, 2)],
      'Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset 5',
    ],
    [
      'into the middle of a pair',
      [entity('bold', 0, 2)],
      'Bad Request: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 5',
    ],
    ['before the start', [entity('bold', -1, 2)], 'Bad Request: receive an entity with incorrect offset -1'],
    [
      'of an unknown type',
      [entity('blink', 0, 1)],
      "Bad Request: can't parse MessageEntity: Unsupported type specified",
    ],
    [
      'without a length',
      [{ type: 'bold', offset: 0 }],
      'Bad Request: can\'t parse MessageEntity: Can\'t find field "length"',
    ],
    [
      'without a link target',
      [entity('text_link', 0, 1)],
      'Bad Request: can\'t parse MessageEntity: Can\'t find field "url"',
    ],
    [
      'with a local target',
      [entity('text_link', 0, 1, { url: 'http://localhost:80/' })],
      "Bad Request: entity URL 'http://localhost:80/' is invalid: Wrong HTTP URL",
    ],
    [
      'with a target in the page',
      [entity('text_link', 0, 1, { url: '#top' })],
      "Bad Request: entity URL '#top' is invalid: URL host is empty",
    ],
    [
      'with a file as target',
      [entity('text_link', 0, 1, { url: 'file:///etc/x' })],
      "Bad Request: entity URL 'file:///etc/x' is invalid: Unsupported URL protocol",
    ],
  ])('%s', (_name, entities, description) => {
    expect(refusal('a😀bc', { entities })).toBe(description);
  });
});

describe('entities that are repaired', () => {
  test('white space around the text goes and the entities move', () => {
    const { text, entities } = format('  \nab \n', { entities: [entity('bold', 3, 4)] });
    expect([text, entities]).toEqual(['ab', [entity('bold', 0, 2)]]);
  });

  test('an indented code block keeps its indentation at the start', () => {
    const { text, entities } = format('  x = 1\n', { entities: [entity('pre', 0, 8, { language: 'py' })] });
    expect([text, entities]).toEqual(['  x = 1', [entity('pre', 0, 7, { language: 'py' })]]);
  });

  test('tabs become spaces, carriage returns and direction marks go', () => {
    const { text, entities } = format('a\r\n\tb\u202e!', { entities: [entity('code', 3, 4)] });
    expect([text, entities]).toEqual(['a\n b!', [entity('code', 2, 3)]]);
  });

  test('crossing bold and italic are cut and noted', () => {
    const { entities, warnings } = format('0123456789', {
      entities: [entity('bold', 0, 6), entity('italic', 3, 6)],
    });
    expect(entities).toEqual([entity('bold', 0, 3), entity('italic', 3, 6), entity('bold', 3, 3)]);
    expect(warnings).toEqual(['entity-overlap: bold[0,6) italic[3,9)']);
  });

  test('properly nested ones are cut without a note', () => {
    const { entities, warnings } = format('0123456789', {
      entities: [entity('bold', 0, 10), entity('italic', 3, 4)],
    });
    expect(entities).toEqual([entity('bold', 0, 3), entity('bold', 3, 7), entity('italic', 3, 4)]);
    expect(warnings).toEqual([]);
  });

  test('bold inside a link is kept beside it, bold inside code is thrown away', () => {
    const link = entity('text_link', 0, 6, { url: 'https://example.com/' });
    expect(format('012345', { entities: [link, entity('bold', 2, 2)] })).toMatchObject({
      entities: [link, entity('bold', 2, 2)],
      warnings: [],
    });
    const inCode = format('012345', { entities: [entity('code', 0, 6), entity('bold', 2, 2)] });
    expect(inCode.entities).toEqual([entity('code', 0, 6)]);
    expect(inCode.warnings).toEqual(['entity-dropped: bold[2,4) in code[0,6)']);
  });

  test('code inside a link is thrown away, code inside a quote stays', () => {
    const link = entity('text_link', 0, 6, { url: 'https://example.com/' });
    expect(format('012345', { entities: [link, entity('code', 2, 2)] })).toMatchObject({
      entities: [link],
      warnings: ['entity-dropped: code[2,4)'],
    });
    const quoted = [entity('blockquote', 0, 6), entity('code', 2, 2)];
    expect(format('012345', { entities: quoted })).toMatchObject({ entities: quoted, warnings: [] });
  });

  test('entities of no length and over white space only go', () => {
    const { entities, warnings } = format('a b', { entities: [entity('bold', 0, 0), entity('bold', 1, 1)] });
    expect(entities).toEqual([]);
    expect(warnings).toEqual(['entity-empty: bold[0,0)']);
  });

  test('more than a hundred are dropped and noted', () => {
    const many = Array.from({ length: 101 }, (_, index) => entity('bold', index * 2, 1));
    const { entities, warnings } = format('a '.repeat(101), { entities: many });
    expect(entities).toHaveLength(100);
    expect(warnings).toEqual(['entity-limit: 1 of 101 dropped']);
  });

  test('a link target is stored with its host in lower case and a path', () => {
    const stored = (url: string): unknown =>
      format('a', { entities: [entity('text_link', 0, 1, { url })] }).entities[0];
    expect(stored('HTTPS://Example.COM')).toMatchObject({ url: 'https://example.com/' });
    expect(stored('notes.md')).toMatchObject({ url: 'http://notes.md/' });
    expect(stored('https://example.com/a b?c=d#e')).toMatchObject({ url: 'https://example.com/a%20b?c=d#e' });
    expect(stored('tg://user?id=42')).toMatchObject({ type: 'text_mention', user: { id: 42 } });
  });

  test('whatever is given, what comes out nests and stays inside', () => {
    const types = ['bold', 'italic', 'underline', 'spoiler', 'code', 'pre', 'blockquote', 'text_link'];
    const given = fc.record({
      type: fc.constantFrom(...types),
      offset: fc.nat(40),
      length: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 12 }), (entities) => {
        const fixed = fixEntities(entities, () => undefined);
        for (const [index, one] of fixed.entries()) {
          for (const other of fixed.slice(index + 1)) {
            const [oneEnd, otherEnd] = [one.offset + one.length, other.offset + other.length];
            const isApart = oneEnd <= other.offset || otherEnd <= one.offset;
            const isNested =
              (one.offset <= other.offset && otherEnd <= oneEnd) ||
              (other.offset <= one.offset && oneEnd <= otherEnd);
            expect(isApart || isNested).toBe(true);
            const inCode = [one, other].some((each) => familyOf(each.type) === 'code');
            const inQuote = [one, other].some((each) => familyOf(each.type) === 'quote');
            if (inCode && !inQuote) expect(isApart).toBe(true);
          }
        }
        expect(fixEntities(fixed, () => undefined)).toEqual(fixed);
      }),
    );
  });
});

describe('what is found in plain text', () => {
  const found = (text: string): string[] =>
    format(text).entities.map(({ type, offset, length }) => `${type}:${text.slice(offset, offset + length)}`);

  test.each([
    ['/start@my_bot now', ['bot_command:/start@my_bot']],
    ['a/b and //c', []],
    ['hi @some_name, not@some_name', ['mention:@some_name']],
    ['see https://example.com/a(b)c). Then', ['url:https://example.com/a(b)c']],
    ['mail pat@example.com or example.com', ['email:pat@example.com', 'url:example.com']],
    ['file.txt is no link, http://localhost:1 neither', []],
    ['#tag1 #123 $USD', ['hashtag:#tag1', 'cashtag:$USD']],
    ['😀 @some_name', ['mention:@some_name']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('nothing is found inside code and links', () => {
    const { entities } = format('see @some_name', { entities: [entity('code', 4, 10)] });
    expect(entities).toEqual([entity('code', 4, 10)]);
  });
});

describe('MarkdownV2', () => {
  const parse = (text: string): Formatted => format(text, { parseMode: 'MarkdownV2' });
  const refused = (text: string): string => refusal(text, { parseMode: 'MarkdownV2' });

  test('reads every kind of markup', () => {
    expect(parse('*b* _i_ __u__ ~s~ ||p|| `c` [l](https://example.com/x)')).toMatchObject({
      text: 'b i u s p c l',
      entities: [
        entity('bold', 0, 1),
        entity('italic', 2, 1),
        entity('underline', 4, 1),
        entity('strikethrough', 6, 1),
        entity('spoiler', 8, 1),
        entity('code', 10, 1),
        entity('text_link', 12, 1, { url: 'https://example.com/x' }),
      ],
      warnings: [],
    });
  });

  test('reads code blocks with a language and escapes inside', () => {
    expect(parse('```py\na \\` *b*\n```')).toMatchObject({
      text: 'a ` *b*',
      entities: [entity('pre', 0, 7, { language: 'py' })],
    });
  });

  test('reads quotes over several lines, also the folded ones', () => {
    expect(parse('>one\n>two\nafter').entities).toEqual([entity('blockquote', 0, 8)]);
    expect(parse('>one\n>two||').entities).toEqual([entity('expandable_blockquote', 0, 7)]);
  });

  test.each([
    ['a.b', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['1 - 2', "Character '-' is reserved and must be escaped with the preceding '\\'"],
    ['wow!', "Character '!' is reserved and must be escaped with the preceding '\\'"],
    ['a > b', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['é *bold', "Can't find end of Bold entity at byte offset 3"],
    ['*a _b* c_', "Can't find end of Italic entity at byte offset 8"],
    ['`code', "Can't find end of Code entity at byte offset 0"],
    ['```js\ncode', "Can't find end of PreCode entity at byte offset 0"],
    ['[a](https://example.com', "Can't find end of a URL at byte offset 4"],
  ])('refuses %s', (text, reason) => {
    expect(refused(text)).toBe(`Bad Request: can't parse entities: ${reason}`);
  });

  test('throws a link with a bad target away and notes it', () => {
    expect(parse('[a](#top)')).toMatchObject({ text: 'a', entities: [], warnings: ['link-dropped: #top'] });
  });
});

describe('HTML', () => {
  const parse = (text: string): Formatted => format(text, { parseMode: 'HTML' });

  test('reads tags, attributes and references', () => {
    expect(
      parse('<b>b</b> <i>i</i> &lt;&amp;&#39; <a href="https://example.com/?a=1&amp;b=2">l</a>'),
    ).toMatchObject({
      text: "b i <&' l",
      entities: [
        entity('bold', 0, 1),
        entity('italic', 2, 1),
        entity('text_link', 8, 1, { url: 'https://example.com/?a=1&b=2' }),
      ],
    });
  });

  test('joins pre and code into one block with a language', () => {
    expect(parse('<pre><code class="language-py">x = 1</code></pre>').entities).toEqual([
      entity('pre', 0, 5, { language: 'py' }),
    ]);
    expect(parse('<blockquote expandable>q</blockquote>').entities).toEqual([
      entity('expandable_blockquote', 0, 1),
    ]);
  });

  test.each([
    ['Pat <pat@example.com>', 'Unsupported start tag "pat@example.com" at byte offset 4'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['a <b', 'Unclosed start tag at byte offset 2'],
    ['<b>a', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['a</b>', 'Unexpected end tag at byte offset 1'],
    ['<span>a</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<p>a</p>', 'Unsupported start tag "p" at byte offset 0'],
  ])('refuses %s', (text, reason) => {
    expect(refusal(text, { parseMode: 'HTML' })).toBe(`Bad Request: can't parse entities: ${reason}`);
  });
});

describe('other modes', () => {
  test('the older Markdown is read and an unclosed marker refused', () => {
    expect(format('*b* `c` snake\\_case', { parseMode: 'Markdown' })).toMatchObject({
      text: 'b c snake_case',
      entities: [entity('bold', 0, 1), entity('code', 2, 1)],
    });
    expect(refusal('snake_case', { parseMode: 'Markdown' })).toBe(
      "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 5",
    );
  });

  test('an unknown mode is refused', () => {
    expect(refusal('x', { parseMode: 'rst' })).toBe('Bad Request: unsupported parse_mode');
  });
});
