import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/core/text-encoding.js';

const utf16le = (text: string): Uint8Array => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16();
const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** 你好，世界。 and two more lines of Chinese with Latin words between, in GBK. */
const gbk = bytes('c4e3 bac3 a3ac cac0 bde7 a1a3 0a 4e6f 6465 20 b5c4 b0e6 b1be 0a cec4 bcfe');

describe('a text', () => {
  test.each([
    ['UTF-8', new TextEncoder().encode('naïve 東京'), { text: 'naïve 東京', encoding: 'utf-8' }],
    ['UTF-8 with a mark', bytes('efbbbf 6869'), { text: 'hi', encoding: 'utf-8' }],
    [
      'UTF-16 with a mark',
      Buffer.concat([bytes('fffe'), utf16le('東京')]),
      { text: '東京', encoding: 'utf-16le' },
    ],
    ['UTF-16 without one', utf16le('plain\r\nwords'), { text: 'plain\r\nwords', encoding: 'utf-16le' }],
    ['UTF-16 the other way', utf16be('plain words'), { text: 'plain words', encoding: 'utf-16be' }],
    ['GBK', gbk, { text: '你好，世界。\nNode 的版本\n文件', encoding: 'gb18030' }],
  ])('in %s is read as such', (_name, given, decoded) => {
    expect(decodeText(given)).toEqual(decoded);
  });

  test.each([
    ['UTF-8', new TextEncoder().encode('東京').subarray(0, 5), '東'],
    ['GBK', gbk.subarray(0, 7), '你好，'],
  ])('in %s that was cut in a character leaves the half one out', (_name, given, text) => {
    expect(decodeText(given)?.text).toBe(text);
  });

  test('of a western one-byte encoding is not taken for Chinese', () => {
    const french = Buffer.from('Ça a été une très belle journée à la forêt', 'latin1');
    expect(decodeText(french)?.text ?? '').not.toMatch(/\p{Script=Han}/u);
    expect(decodeText(Buffer.from('naïve words, one bad byte', 'latin1'))).toEqual({
      text: 'na\u{FFFD}ve words, one bad byte',
      encoding: 'utf-8',
    });
  });

  test('is not what has zeros anywhere, or is broken all over', () => {
    expect(decodeText(bytes('7f454c46 0201 0100 0000'))).toBeUndefined();
    expect(decodeText(bytes('8081 8283 fe80 ff81 8283 9091 f8f9'))).toBeUndefined();
  });
});
