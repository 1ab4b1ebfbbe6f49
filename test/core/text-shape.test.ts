import { describe, expect, test } from 'vitest';
import { fromShapedText, toShapedText } from '../../src/core/text-shape.js';

const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const utf16 = (text: string): number[] => [...Buffer.from(text, 'utf16le')];

describe('a text and its shape', () => {
  test.each([
    ['UTF-8', bytesOf('a\nü\n'), { encoding: 'utf-8', hasMark: false, lineEnd: 'lf' }, 'a\nü\n'],
    [
      'UTF-8 with mark',
      bytesOf([0xef, 0xbb, 0xbf], 'a\n'),
      { encoding: 'utf-8', hasMark: true, lineEnd: 'lf' },
      'a\n',
    ],
    ['CRLF', bytesOf('a\r\nb\r\n'), { encoding: 'utf-8', hasMark: false, lineEnd: 'crlf' }, 'a\nb\n'],
    [
      'mixed line ends',
      bytesOf('a\r\nb\n'),
      { encoding: 'utf-8', hasMark: false, lineEnd: 'lf' },
      'a\r\nb\n',
    ],
    [
      'UTF-16',
      bytesOf([0xff, 0xfe], utf16('東京\r\n')),
      { encoding: 'utf-16le', hasMark: true, lineEnd: 'crlf' },
      '東京\n',
    ],
    [
      'GB18030',
      bytesOf([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7, 0x0a]),
      { encoding: 'gb18030', hasMark: false, lineEnd: 'lf' },
      '你好世界\n',
    ],
  ])('in %s come back as the same bytes', (_name, bytes, shape, text) => {
    const shaped = toShapedText(bytes);
    expect(shaped).toEqual({ text, shape });
    if (shaped === undefined) return;
    expect(fromShapedText(shaped)).toEqual({ ok: true, bytes: new Uint8Array(bytes) });
  });

  test('that cannot be written back as it was is no text', () => {
    expect(toShapedText(Buffer.from('na\u{00EF}ve words and more of them', 'latin1'))).toBeUndefined();
    expect(toShapedText(Uint8Array.of(1, 0, 2))).toBeUndefined();
  });

  test('names the character that an encoding does not have', () => {
    expect(
      fromShapedText({ text: '好🚀', shape: { encoding: 'gb18030', hasMark: false, lineEnd: 'lf' } }),
    ).toEqual({ ok: false, character: '🚀' });
  });
});
