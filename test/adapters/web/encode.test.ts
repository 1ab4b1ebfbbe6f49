import { describe, expect, test } from 'vitest';
import { annotate, encode, MAX_TEXT_UNITS } from '../../../src/adapters/web/encode.js';

const texts = (text: string): readonly string[] =>
  encode([{ type: 'text', text }]).map((message) => message.text);

describe('encode', () => {
  test('leaves Markdown as it is, in one message', () => {
    const text = '    indented\n\n# Title\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';
    expect(texts(text)).toEqual([text]);
  });

  test('gives nothing for a text without anything to see', () => {
    expect(['', ' \n', '\u0000', '\u200b'].flatMap(texts)).toEqual([]);
  });

  test('drops what the database cannot keep', () => {
    expect(texts('a\u0000b\ud83d')).toEqual(['ab\ufffd']);
  });

  test('cuts what is longer than a million units', () => {
    const pieces = texts('word '.repeat(450_000));
    expect(pieces).toHaveLength(3);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_TEXT_UNITS);
    expect(pieces.join(' ').split(/\s+/u).filter(Boolean)).toHaveLength(450_000);
  });

  test('puts a note on a line of its own', () => {
    expect(annotate({ text: '# Title', payload: null }, '(note)')).toEqual([
      { text: '(note)\n# Title', payload: null },
    ]);
  });
});
