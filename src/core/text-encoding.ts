/** Texts in the encodings that people's files have. */

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncodingName;
}

/** A text file has no NUL byte; a binary one has one early. */
const sniffedBytes = 8192;
/** Without a mark, fewer than these are no ground to judge by. */
const minUtf16Pairs = 8;
/** Of the two-byte characters, those of the rows that Chinese texts are written with. */
const minChineseShare = 0.85;
/** More unreadable characters than this, and it is no text. */
const maxBrokenShare = 0.1;

/**
 * Undefined for what is no text. The bytes may end in the middle of a character, which is then left out. What is neither
 * Unicode nor plainly Chinese is read as UTF-8 with U+FFFD for what does not fit.
 */
export const decodeText = (bytes: Uint8Array): DecodedText | undefined => {
  const utf16 = sniffUtf16(bytes);
  if (utf16 !== undefined) return decode(bytes, utf16);
  if (bytes.subarray(0, sniffedBytes).includes(0)) return undefined;
  try {
    return decode(bytes, 'utf-8', true);
  } catch {
    if (looksChinese(bytes)) return decode(bytes, 'gb18030');
  }
  const decoded = decode(bytes, 'utf-8');
  const sample = decoded.text.slice(0, sniffedBytes);
  const broken = sample.split('\u{FFFD}').length - 1;
  return broken > sample.length * maxBrokenShare ? undefined : decoded;
};

/** As a stream, so that a character cut at the end of what was read is left out rather than replaced. */
const decode = (bytes: Uint8Array, encoding: TextEncodingName, fatal = false): DecodedText => ({
  text: new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true }),
  encoding,
});

/** By its mark, or, without one, by the zero beside every Latin letter, digit and line end. */
const sniffUtf16 = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (isUnmarkedUtf16(bytes, 1)) return 'utf-16le';
  return isUnmarkedUtf16(bytes, 0) ? 'utf-16be' : undefined;
};

/** `high`: where in each pair the byte is that is zero for Latin text. */
const isUnmarkedUtf16 = (bytes: Uint8Array, high: 0 | 1): boolean => {
  const pairs = Math.floor(Math.min(bytes.length, sniffedBytes) / 2);
  let latin = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    const low = bytes[2 * pair + 1 - high] ?? 0;
    if (bytes[2 * pair + high] !== 0) continue;
    if (!isLatinByte(low)) return false;
    latin += 1;
  }
  return pairs >= minUtf16Pairs && latin >= pairs / 2;
};

const isLatinByte = (byte: number): boolean =>
  byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * GBK has two bytes for a character. In Chinese both are high, and the first is of the few rows with the usual characters
 * and marks; in the western one-byte encodings high bytes stand alone.
 */
const looksChinese = (bytes: Uint8Array): boolean => {
  let pairs = 0;
  let usual = 0;
  const sample = bytes.subarray(0, sniffedBytes);
  for (let index = 0; index < sample.length - 1; index += 1) {
    const lead = sample[index] ?? 0;
    if (lead < 0x80) continue;
    pairs += 1;
    const trail = sample[index + 1] ?? 0;
    const isUsualRow = (lead >= 0xb0 && lead <= 0xf7) || (lead >= 0xa1 && lead <= 0xa3);
    if (isUsualRow && trail >= 0xa1) usual += 1;
    index += 1;
  }
  return pairs > 0 && usual >= pairs * minChineseShare;
};
