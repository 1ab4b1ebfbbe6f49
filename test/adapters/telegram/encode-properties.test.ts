import fc from 'fast-check';
import type { MessageEntity } from 'grammy/types';
import { expect, it } from 'vitest';
import { flattenMarkdown } from '../../../src/adapters/kit/markdown-flatten.js';
import { parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';
import { INDENT_GUARD } from '../../../src/adapters/kit/split.js';
import { toStyledRanges } from '../../../src/adapters/kit/styled-ranges.js';
import {
  encodeMarkdown,
  encodePreview,
  plainChunks,
  type TelegramText,
} from '../../../src/adapters/telegram/encode.js';
import { toEntity } from '../../../src/adapters/telegram/entities.js';
import { isLinkable } from '../../../src/adapters/telegram/link-address.js';
import { formatText } from '../../emulators/telegram/text/format.js';
import { propertyRuns } from '../../setup/property-runs.js';

const numRuns = propertyRuns(500);

const word = fc.constantFrom(
  ...[
    'word',
    'a',
    'Long-ish_word',
    '中文',
    '后文。',
    '😀',
    '👨‍👩‍👧‍👦',
    '🇩🇪',
    'e\u0301',
    'https://x.yy/z',
    '1.',
    '&amp;',
    '\\*',
    '<b>',
  ],
  ...['\u200b', '\u00a0', '\u3000', '||', '**', '`', '[', ']('],
);
const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((it) => it.join(' '));
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    tie('inline').map((it) => `**${it}**`),
    tie('inline').map((it) => `*${it}*`),
    tie('inline').map((it) => `~~${it}~~`),
    tie('inline').map((it) => `||${it}||`),
    words.map((it) => `\`${it}\``),
    tie('inline').map((it) => `[${it}](https://example.com/${it.length})`),
    tie('inline').map((it) => `![${it}](./${it.length}.png)`),
    fc.array(tie('inline'), { minLength: 2, maxLength: 4 }).map((it) => it.join('')),
    fc.array(tie('inline'), { minLength: 2, maxLength: 4 }).map((it) => it.join('\n')),
  ),
}));
const codeLine = fc.tuple(
  fc.constantFrom('', '', '  ', '    ', '\t'),
  fc.constantFrom('', 'x = 1', 'def f():', '中文', '😀'.repeat(9), 'y'.repeat(90)),
);
const code = fc
  .tuple(fc.constantFrom('', 'py', 'c++'), fc.array(codeLine, { maxLength: 40 }))
  .map(([language, lines]) => `\`\`\`${language}\n${lines.map((it) => it.join('')).join('\n')}\n\`\`\``);
const table = fc
  .array(fc.tuple(inline, words), { minLength: 1, maxLength: 6 })
  .map(
    (rows) =>
      `| a | b |\n|---|--:|\n${rows.map(([a, b]) => `| ${a.replace(/\n/g, ' ')} | ${b} |`).join('\n')}`,
  );
const indent = (prefix: string, text: string) => text.replace(/^/gm, prefix);
const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    inline,
    inline.map((it) => `## ${it}`),
    code,
    table,
    fc.constant('---'),
    tie('block').map((it) => indent('> ', it)),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 4 })
      .map((it) => it.map((item) => `- ${indent('  ', item).slice(2)}`).join('\n')),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 4 })
      .map((it) => it.map((item, at) => `${at + 1}. ${indent('   ', item).slice(3)}`).join('\n\n')),
    inline.map((it) => `- [x] ${it}`),
    fc.array(tie('block'), { minLength: 2, maxLength: 4 }).map((it) => it.join('\n\n')),
  ),
}));
const noise = fc.string({ unit: fc.constantFrom(...'*_`~|[]()<>!#-+=.:>\\&; \n\t1aZ中。'), maxLength: 300 });
const anything = fc.string({ unit: 'binary', maxLength: 200 });
const document = fc.oneof(
  { weight: 8, arbitrary: fc.array(block, { minLength: 1, maxLength: 8 }).map((it) => it.join('\n\n')) },
  { weight: 2, arbitrary: noise },
  { weight: 1, arbitrary: anything },
);
/** An invisible line of code before an indented one, which is not sent. */
const invisibleCodeLine =
  '> ~~~~word~~\n> \u200b\n> \u3000 word word word word\n> word~~\n> word\n\nword\n\nword\n\nword';
const examples: [string, number][] = [[`word\n\n${invisibleCodeLine}`, 16]];
const limit = fc.oneof(
  fc.integer({ min: 16, max: 120 }),
  fc.integer({ min: 120, max: 700 }),
  fc.constant(4096),
);

const end = (entity: MessageEntity) => entity.offset + entity.length;
const isCode = (entity: MessageEntity) => entity.type === 'code' || entity.type === 'pre';

function expectWellFormed({ text, entities }: TelegramText, limitUnits: number): void {
  expect(text.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual(limitUnits);
  expect(text).toBe(text.trim());
  expect(text).not.toMatch(/\p{Surrogate}|\0|\r/u);
  expect(entities.length).toBeLessThanOrEqual(100);
  const open: MessageEntity[] = [];
  let last: MessageEntity | undefined;
  for (const entity of entities) {
    expect(entity.length).toBeGreaterThan(0);
    expect(end(entity)).toBeLessThanOrEqual(text.length);
    const covered = text.slice(entity.offset, end(entity));
    expect(covered).toBe(covered.trimEnd());
    if (entity.type !== 'pre') expect(covered).toBe(covered.trimStart());
    if (last !== undefined) {
      expect(entity.offset > last.offset || (entity.offset === last.offset && end(entity) <= end(last))).toBe(
        true,
      );
    }
    while (open.length > 0 && end(open.at(-1) as MessageEntity) <= entity.offset) open.pop();
    for (const outer of open) {
      expect(end(outer)).toBeGreaterThanOrEqual(end(entity));
      expect(isCode(outer)).toBe(false);
      expect(outer.type).not.toBe(entity.type);
      if (isCode(entity)) expect(outer.type).toBe('blockquote');
    }
    open.push(entity);
    last = entity;
  }
}

/** Places of the chunks in the whole text; what lies between them shows nothing. */
function locate(whole: string, chunks: readonly TelegramText[]): { start: number; guard: number }[] {
  let from = 0;
  const places = chunks.map(({ text }) => {
    const seen = from + (visible.exec(whole.slice(from))?.index ?? 0);
    const guard = text.startsWith(INDENT_GUARD) && !whole.startsWith(text, seen) ? INDENT_GUARD.length : 0;
    const body = text.slice(guard);
    const start = whole.indexOf(body, from);
    expect(start, `'${body}' stands in the text`).toBeGreaterThanOrEqual(from);
    expect(withoutInvisible(whole.slice(from, start))).toBe('');
    from = start + body.length;
    return { start, guard };
  });
  expect(withoutInvisible(whole.slice(from))).toBe('');
  return places;
}

const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Pieces that show nothing are not sent. */
const withoutInvisible = (text: string) =>
  text.replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');

/** For each unit of visible text, what styles it. */
function paint(
  length: number,
  entities: readonly MessageEntity[],
  into: string[] = Array<string>(length).fill(''),
  from = 0,
): string[] {
  for (const { offset, length: units, ...style } of entities) {
    for (let at = Math.max(offset, from); at < offset + units; at += 1) into[at] += JSON.stringify(style);
  }
  return into;
}

function unsplit(markdown: string): { text: string; entities: MessageEntity[] } {
  const styled = flattenMarkdown(parseMarkdown(markdown), { canLink: isLinkable, tabColumns: 4 });
  return { text: styled.text, entities: toStyledRanges(styled).map((it) => toEntity(it, 0)) };
}

it('keeps every chunk within the limits, with entities that Telegram takes', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(document, limit, (markdown, limitUnits) => {
      for (const chunk of encodeMarkdown(markdown, limitUnits)) expectWellFormed(chunk, limitUnits);
    }),
    { numRuns },
  );
});

it('loses neither text nor style at the cuts', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(document, limit, (markdown, limitUnits) => {
      const whole = unsplit(markdown);
      const chunks = encodeMarkdown(markdown, limitUnits);
      const places = locate(whole.text, chunks);
      const expected = paint(whole.text.length, whole.entities);
      const painted = Array<string>(whole.text.length).fill('');
      const covered = new Set<number>();
      for (const [index, { text, entities }] of chunks.entries()) {
        const { start = 0, guard = 0 } = places[index] ?? {};
        const shift = start - guard;
        paint(
          0,
          entities.map((it) => ({ ...it, offset: it.offset + shift })),
          painted,
          start,
        );
        for (let at = start; at < shift + text.length; at += 1) covered.add(at);
      }
      for (const at of covered) expect(painted[at]).toBe(expected[at]);
    }),
    { numRuns, examples },
  );
});

it('cuts between grapheme clusters, and keeps the indentation of code', { timeout: 120_000 }, () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  fc.assert(
    fc.property(document, limit, (markdown, limitUnits) => {
      const { text, entities } = unsplit(markdown);
      const chunks = encodeMarkdown(markdown, limitUnits);
      const places = locate(text, chunks);
      const clusters = [...segmenter.segment(text)];
      for (const [index, { start }] of places.entries()) {
        const inside = clusters.find((it) => it.index < start && it.index + it.segment.length > start);
        // White space that a mark is attached to is trimmed by Telegram; a cluster may exceed a tiny limit.
        if (inside !== undefined) {
          expect(/^\s/.test(inside.segment) || inside.segment.length > limitUnits).toBe(true);
        }
        const previous = places[index - 1];
        if (previous === undefined) continue;
        const from = previous.start + (chunks[index - 1]?.text.length ?? 0) - previous.guard;
        const inCode = entities.some((it) => it.type === 'pre' && it.offset < from && end(it) > start);
        const dropped = text.slice(from, start);
        const indentation = dropped.length - dropped.lastIndexOf('\n') - 1;
        // A tiny limit may leave no room for a cluster after the indentation.
        if (inCode && indentation + 16 < limitUnits && dropped.includes('\n')) expect(indentation).toBe(0);
      }
    }),
    { numRuns, examples },
  );
});

it('gives what Telegram stores as it is, with every style', { timeout: 120_000 }, () => {
  const refusal = { maxLength: 4096, emptyReason: 'empty', tooLongReason: 'too long' };
  // What the server finds by itself, and characters it removes.
  const found = new Set(['url', 'mention', 'email', 'hashtag', 'cashtag', 'bot_command']);
  const removed = /[\u2028-\u202e]|\u0333|\u033f|\u030a/;
  fc.assert(
    fc.property(document, limit, (markdown, limitUnits) => {
      for (const { text, entities } of encodeMarkdown(markdown, limitUnits)) {
        const warnings: string[] = [];
        const stored = formatText({ text, parseMode: undefined, entities }, refusal, (it) =>
          warnings.push(it),
        );
        expect(warnings).toEqual([]);
        if (removed.test(text)) continue;
        expect(stored.text).toBe(text.replaceAll('\t', ' '));
        expect(
          marksOf(
            text,
            stored.entities.filter((it) => !found.has(it.type)),
          ),
        ).toEqual(marksOf(text, entities));
      }
    }),
    { numRuns },
  );
});

/** What styles each visible unit, whatever the order and wherever cut. */
function marksOf(
  text: string,
  entities: readonly { type: string; offset: number; length: number }[],
): string[] {
  const marks = Array<string>(text.length).fill('');
  for (const type of [...new Set(entities.map((it) => it.type))].sort()) {
    for (const entity of entities.filter((it) => it.type === type)) {
      for (let at = entity.offset; at < entity.offset + entity.length; at += 1) marks[at] += `${type} `;
    }
  }
  return marks.map((mark, at) => (/\s/.test(text.charAt(at)) ? '' : mark));
}

it('makes a preview of every beginning of a reply', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(document, limit, fc.nat(), (markdown, limitUnits, seed) => {
      const preview = encodePreview(markdown.slice(0, seed % (markdown.length + 1)), limitUnits);
      if (preview !== undefined) expectWellFormed(preview, limitUnits);
    }),
    { numRuns: numRuns / 4 },
  );
});

it('makes plain texts within the limit of every chunk, with all its words', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(document, limit, (markdown, limitUnits) => {
      for (const chunk of encodeMarkdown(markdown, limitUnits)) {
        const texts = plainChunks(chunk, limitUnits);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(limitUnits);
        const shown = withoutInvisible(texts.join(''));
        if (chunk.entities.every((it) => it.type !== 'text_link')) {
          expect(shown.replaceAll('…', '')).toBe(withoutInvisible(chunk.text).replaceAll('…', ''));
        }
      }
    }),
    { numRuns: numRuns / 4 },
  );
});
