import { fold, toNeedles } from './search-text.js';

/** What fits beside nine others in a list that a model reads. */
const EXCERPT_LENGTH = 240;
/** Of it before the hit. */
const LEAD_LENGTH = 80;

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
const unspacedCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const beginsWord = (text: string, index: number): boolean => {
  const before = [...text.slice(Math.max(0, index - 2), index)].at(-1) ?? '';
  const first = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return !wordCharacter.test(before) || unspacedCharacter.test(before) || unspacedCharacter.test(first);
};

/** Where the needle begins a word; failing that, where it stands at all; -1 where it does not. */
const indexOfWord = (text: string, needle: string): number => {
  const first = text.indexOf(needle);
  let index = first;
  while (index !== -1 && !beginsWord(text, index)) index = text.indexOf(needle, index + 1);
  return index === -1 ? first : index;
};

const firstHit = (text: string, needles: readonly string[]): number | undefined => {
  const hits = needles.map((needle) => indexOfWord(text, needle)).filter((index) => index !== -1);
  return hits.length === 0 ? undefined : Math.min(...hits);
};

/** The place in the text itself; most texts need no more than lower case to be compared. */
const findHit = (text: string, query: string): number => {
  const needles = toNeedles(query);
  const lower = text.toLowerCase();
  const quick = lower.length === text.length ? firstHit(lower, needles) : undefined;
  if (quick !== undefined) return quick;
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const part = fold(character);
    folded += part;
    for (let unit = 0; unit < part.length; unit += 1) places.push(place);
    place += character.length;
  }
  const hit = firstHit(folded, needles);
  return hit === undefined ? 0 : (places[hit] ?? 0);
};

/** Not in the middle of a character. */
const isWhole = (text: string, index: number): boolean =>
  !/^[\uDC00-\uDFFF]/u.test(text.slice(index, index + 1));

/** What stands around the first hit of a query, as one line; … where something is left out. */
export const excerptOf = (text: string, query: string): string => {
  const line = text.trim().replace(/\s+/gu, ' ');
  if (line.length <= EXCERPT_LENGTH) return line;
  let start = Math.max(0, Math.min(findHit(line, query) - LEAD_LENGTH, line.length - EXCERPT_LENGTH));
  if (!isWhole(line, start)) start -= 1;
  let end = Math.min(line.length, start + EXCERPT_LENGTH);
  if (!isWhole(line, end)) end += 1;
  const part = line.slice(start, end).trim();
  return `${start > 0 ? '…' : ''}${part}${end < line.length ? '…' : ''}`;
};
