/**
 * Text as the search index holds it, and queries in the same form. Scripts that put no space between words (Chinese,
 * Japanese, Thai …) are cut into overlapping pairs of characters, so that words of two are found; a last single one
 * lets one character be found too. Everything else is a word: lower case, without accents.
 */

const words = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced =
  /(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]\p{M}*)+/gu;
/** Accents of Latin, Greek and Cyrillic; vowel signs of Hebrew and Arabic, which are rarely written. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]/gu;
/** More of one message makes the index large and is not what anybody looks for. */
const MAX_INDEXED_UNITS = 20_000;
/** A shorter word by its beginning would match half of everything. */
const MIN_PREFIX_LENGTH = 3;

interface Segment {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/** As words are compared. */
export const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFD').replace(accents, '').normalize('NFC');

const segments = (text: string): readonly Segment[] =>
  [...fold(text).matchAll(words)].flatMap(([run]) => {
    const parts: Segment[] = [];
    let end = 0;
    for (const match of run.matchAll(unspaced)) {
      if (match.index > end) parts.push({ text: run.slice(end, match.index), isUnspaced: false });
      parts.push({ text: match[0], isUnspaced: true });
      end = match.index + match[0].length;
    }
    if (end < run.length) parts.push({ text: run.slice(end), isUnspaced: false });
    return parts;
  });

const pairs = (text: string): readonly string[] => {
  const characters = [...text];
  return characters.slice(0, -1).map((character, index) => `${character}${characters[index + 1]}`);
};

/** The words of a text, one space between them. */
export const toIndexText = (text: string): string =>
  segments(text.slice(0, MAX_INDEXED_UNITS))
    .flatMap((segment) =>
      segment.isUnspaced ? [...pairs(segment.text), [...segment.text].at(-1) ?? ''] : [segment.text],
    )
    .join(' ');

/** Words that stand one after another; with `isPrefix` the last one may go on. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** Every phrase has to be found. Empty if the query has no letter and no digit. */
export const toPhrases = (query: string): readonly Phrase[] =>
  segments(query).map(({ text, isUnspaced }) => {
    const length = [...text].length;
    if (!isUnspaced) return { words: [text], isPrefix: length >= MIN_PREFIX_LENGTH };
    return length === 1 ? { words: [text], isPrefix: true } : { words: pairs(text), isPrefix: false };
  });

/** The words of a query as they stand in a folded text, those without spaces between them in one piece. */
export const toNeedles = (query: string): readonly string[] => segments(query).map(({ text }) => text);
