/** How a text lies in a file, so that whoever changes the text leaves the rest of the file's habits alone. */
import { decodeText, type TextEncodingName } from './text-encoding.js';

export interface TextShape {
  readonly encoding: TextEncodingName;
  /** Begins with a byte order mark. */
  readonly hasMark: boolean;
  /** Of the text's lines; `crlf` only if all of them end so. */
  readonly lineEnd: 'lf' | 'crlf';
}

export interface ShapedText {
  /** Without mark; its lines end in LF if the shape says `crlf`, else as they are. */
  readonly text: string;
  readonly shape: TextShape;
}

export const usualShape: TextShape = { encoding: 'utf-8', hasMark: false, lineEnd: 'lf' };

const marks: Readonly<Record<TextEncodingName, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  gb18030: [0x84, 0x31, 0x95, 0x33],
};

/** Undefined for what is no text, or not whole: it could not be written back as it was. */
export const toShapedText = (bytes: Uint8Array): ShapedText | undefined => {
  const decoded = decodeText(bytes);
  if (decoded === undefined) return undefined;
  const { encoding } = decoded;
  const hasMark = marks[encoding].every((byte, index) => bytes[index] === byte);
  const text = decoded.text.replace(/^\u{FEFF}/u, '');
  const lineEnd = /\r\n/u.test(text) && !/(?<!\r)\n/u.test(text) ? 'crlf' : 'lf';
  const shaped = {
    text: lineEnd === 'crlf' ? text.replaceAll('\r\n', '\n') : text,
    shape: { encoding, hasMark, lineEnd } as const,
  };
  const again = fromShapedText(shaped);
  return again.ok && isSame(again.bytes, bytes) ? shaped : undefined;
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export type EncodedText =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** The encoding has no such character. */
  | { readonly ok: false; readonly character: string };

export const fromShapedText = ({ text, shape }: ShapedText): EncodedText => {
  const whole = shape.lineEnd === 'crlf' ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
  const encoded = encode(whole, shape.encoding);
  if (!encoded.ok || !shape.hasMark) return encoded;
  const mark = marks[shape.encoding];
  const bytes = new Uint8Array(mark.length + encoded.bytes.length);
  bytes.set(mark);
  bytes.set(encoded.bytes, mark.length);
  return { ok: true, bytes };
};

const encode = (text: string, encoding: TextEncodingName): EncodedText => {
  switch (encoding) {
    case 'utf-8':
      return { ok: true, bytes: new TextEncoder().encode(text) };
    case 'utf-16le':
    case 'utf-16be':
      return { ok: true, bytes: encodeUtf16(text, encoding === 'utf-16le') };
    case 'gb18030':
      return encodeChinese(text);
  }
};

const encodeUtf16 = (text: string, isLittle: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index += 1)
    view.setUint16(index * 2, text.charCodeAt(index), isLittle);
  return new Uint8Array(view.buffer);
};

let chineseBytes: ReadonlyMap<string, readonly number[]> | undefined;

/** The platform decodes this encoding and does not encode it, so its two-byte characters are decoded once, all of them. */
const loadChinese = (): ReadonlyMap<string, readonly number[]> => {
  const decoder = new TextDecoder('gb18030', { fatal: true });
  const table = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail === 0x7f) continue;
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (!table.has(character)) table.set(character, [lead, trail]);
    }
  }
  return table;
};

const encodeChinese = (text: string): EncodedText => {
  chineseBytes ??= loadChinese();
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const found = code < 0x80 ? [code] : chineseBytes.get(character);
    if (found === undefined) return { ok: false, character };
    bytes.push(...found);
  }
  return { ok: true, bytes: Uint8Array.from(bytes) };
};
