import fc from 'fast-check';
import { expect } from 'vitest';
import type { EncodedMessage } from '../../../src/core/outbound.js';
import type { ContentSupport } from '../../../src/core/platform.js';
import type { PlatformCases, PlatformHarness } from './harness.js';

const lengthOf = (text: string, unit: ContentSupport['text']['unit']): number => {
  switch (unit) {
    case 'utf16':
      return text.length;
    case 'code-points':
      return [...text].length;
    case 'bytes':
      return Buffer.byteLength(text);
  }
};

const expectWithinLimits = (
  { adapter, route }: PlatformHarness,
  messages: readonly EncodedMessage[],
): void => {
  const { maxLength, unit } = adapter.support(route).text;
  for (const { text, payload } of messages) {
    expect(text.trim()).not.toBe('');
    expect(lengthOf(text, unit)).toBeLessThanOrEqual(maxLength);
    // What is stored must come back as it was.
    expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
  }
};

const encode = ({ adapter, route }: PlatformHarness, text: string): readonly EncodedMessage[] =>
  adapter.encode([{ type: 'text', text }], route);

/** Pieces of Markdown in any order, whole, broken and nested. */
const markdown = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '**',
        '_',
        '~~',
        '||',
        '`',
        '```\n',
        '> ',
        '- ',
        '# ',
        '[x](https://example.com/a)',
        '\n\n',
        '|a|b|\n|-|-|\n',
      ),
      fc
        .constantFrom('word ', '🙂', '漢字', '\u0000', '\uD83D', '<b>', '&amp;', '\\')
        .map((piece) => piece.repeat(50)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

const note = '(a note)';

export const encodingCases: PlatformCases = {
  'a text with nothing to see gives no message': (harness) => {
    for (const text of ['', ' ', '\n\n\t']) expect(encode(harness, text)).toEqual([]);
  },

  'any text gives messages within the limits': (harness) => {
    fc.assert(
      fc.property(markdown, (text) => expectWithinLimits(harness, encode(harness, text))),
      { numRuns: 150 },
    );
  },

  'a long text is cut into messages that together are the text': (harness) => {
    const { maxLength } = harness.adapter.support(harness.route).text;
    const words = Array.from(
      { length: Math.ceil(Math.min(maxLength, 50_000) / 3) },
      (_, index) => `word${index}`,
    );
    const messages = encode(harness, words.join(' '));
    expectWithinLimits(harness, messages);
    expect(messages.flatMap(({ text }) => text.split(/\s+/u))).toEqual(words);
  },

  'a note stands before the message and moves nothing out of the limits': (harness) => {
    const { maxLength } = harness.adapter.support(harness.route).text;
    const full = `**${'word '.repeat(Math.floor(Math.min(maxLength, 50_000) / 5) - 1)}end**`;
    for (const text of ['short', full]) {
      const [encoded] = encode(harness, text);
      if (encoded === undefined) throw new Error('the text gives no message');
      const annotated = harness.adapter.annotate(encoded, note);
      expectWithinLimits(harness, annotated);
      const shown = annotated.map((message) => message.text).join(' ');
      expect(shown.startsWith(note)).toBe(true);
      expect(shown.slice(note.length).split(/\s+/u).filter(Boolean)).toEqual(encoded.text.split(/\s+/u));
    }
  },
};
