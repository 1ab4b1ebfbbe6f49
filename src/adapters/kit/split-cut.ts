/**
 * Where to cut a text that does not fit: at the best bound that leaves the piece reasonably full. Block, blank
 * line, line, sentence, word, grapheme cluster, in this order; in code only lines, best those that start
 * without indentation.
 */
import type { TextRange } from './markdown-writer.js';

export interface CutOptions {
  /** Largest piece in UTF-16 units, at least 16. */
  readonly limitUnits: number;
  /** Preferred places to cut, ascending. */
  readonly blockStarts?: readonly number[];
  /** Ascending, not overlapping: cut at line ends, indentation kept. */
  readonly codeBlocks?: readonly TextRange[];
  /** By start, properly nested: not cut if short, such as link labels. */
  readonly wholes?: readonly TextRange[];
}

/** How full, as a share of what fits, a piece must be for a bound of the better kinds to be taken. */
const FULL = 0.5;
/** Less will do where the alternative is worse: a whole block kept in one piece, a word or a code line kept whole. */
const SPARSE = 0.1;
/** Code is rather cut this early, at a line without indentation, than within something indented. */
const CODE_FULL = 0.25;
/** Labels and inline code up to this long are moved to the next piece rather than cut. */
const WHOLE_UNITS = 256;

interface Bounds {
  blank: number;
  line: number;
  indented: number;
  sentence: number;
  word: number;
}

/** Start of the next piece: after `start`, and such that the text before it, trimmed, ends by `max`. */
export function findCut(
  text: string,
  start: number,
  max: number,
  options: CutOptions,
  codeIndex: number,
): number {
  let limit = max;
  while (limit < text.length && isSpace(text.charCodeAt(limit))) limit += 1;
  const reach = max - start;
  const inCode = codeAt(options.codeBlocks ?? [], codeIndex, max) !== undefined;
  const cut =
    blockCut(text.length, options, start, limit, reach) ??
    boundCut(scanBounds(text, start, limit, reach, inCode), start, reach, inCode) ??
    (inCode ? clusterBound(text, start, solidPlace(text, start, max, reach)) : undefined) ??
    clusterBound(text, start, max) ??
    pairBound(text, start, max);
  return inCode ? cut : keepWhole(text, options.wholes ?? [], start, cut, reach);
}

function codeAt(blocks: readonly TextRange[], from: number, at: number): TextRange | undefined {
  for (let index = from; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined || block.start >= at) return undefined;
    if (block.end > at) return block;
  }
  return undefined;
}

/** The last block that starts within reach; an early one only if the block that gets moved then fits whole. */
function blockCut(
  textEnd: number,
  options: CutOptions,
  start: number,
  limit: number,
  reach: number,
): number | undefined {
  const starts = options.blockStarts ?? [];
  const next = lowerBound(starts, limit + 1, (it) => it);
  const cut = starts[next - 1];
  if (cut === undefined || cut < start + reach * SPARSE) return undefined;
  const movedEnd = starts[next] ?? textEnd;
  return cut >= start + reach * FULL || movedEnd - cut <= options.limitUnits ? cut : undefined;
}

/** Index of the first item whose key is not less. */
function lowerBound<T>(items: readonly T[], least: number, key: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && key(item) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NEWLINE = 10;

/** The last bound of each kind, from the end backwards, no further than needed. */
function scanBounds(text: string, start: number, limit: number, reach: number, inCode: boolean): Bounds {
  const found: Bounds = { blank: -1, line: -1, indented: -1, sentence: -1, word: -1 };
  const floor = start + Math.max(1, reach * SPARSE);
  for (let at = limit; at >= floor && found.blank < 0; at -= 1) {
    const enough = start + reach * (inCode && found.line < 0 ? CODE_FULL : FULL);
    if (at < enough && (found.line >= 0 || found.indented >= 0 || found.word >= 0)) break;
    if (text.charCodeAt(at - 1) === NEWLINE) noteLine(text, at, found);
    else if (!inCode) noteWord(text, at, found);
  }
  return found;
}

function noteLine(text: string, at: number, found: Bounds): void {
  const after = text.charCodeAt(at);
  if (!isSpace(after)) {
    if (text.charCodeAt(at - 2) === NEWLINE) found.blank = at;
    else if (found.line < 0) found.line = at;
  } else if (after !== NEWLINE && found.indented < 0) found.indented = at;
}

function noteWord(text: string, at: number, found: Bounds): void {
  const before = text.charCodeAt(at - 1);
  if (!isSpace(before) && !isWideStop(before)) return;
  if (isSpace(text.charCodeAt(at)) || isAttached(text, at)) return;
  if (found.word < 0) found.word = at;
  if (found.sentence < 0 && endsSentence(text, at)) found.sentence = at;
}

function boundCut(found: Bounds, start: number, reach: number, inCode: boolean): number | undefined {
  const order = [found.blank, found.line, found.indented, found.sentence, found.word];
  const full = inCode ? start : start + reach * FULL;
  return order.find((it) => it >= full && it >= 0) ?? order.find((it) => it >= 0);
}

const CLOSERS = /["'”’»)\]」』）]/;

function endsSentence(text: string, at: number): boolean {
  let last = at - 1;
  while (last > 0 && isSpace(text.charCodeAt(last))) last -= 1;
  if (CLOSERS.test(text.charAt(last))) last -= 1;
  return /[.!?…。！？；]/.test(text.charAt(last));
}

/** Punctuation after which no space is written: 。！？；，、：」』） */
function isWideStop(unit: number): boolean {
  return WIDE_STOPS.has(unit);
}

const WIDE_STOPS = new Set([...'。！？；，、：」』）'].map((it) => it.charCodeAt(0)));

/** What String.prototype.trim drops. */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit < 0x1680) return unit === 0xa0;
  if (unit < 0x3000) return unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || RARE_SPACES.has(unit);
  return unit === 0x3000 || unit === 0xfeff;
}

const RARE_SPACES = new Set([0x2028, 0x2029, 0x202f, 0x205f]);

const ATTACHED = /^[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Pe}\p{Pf}\p{Po}]/u;

/** Marks and joiners belong to the character before them; a line does not begin with closing punctuation. */
function isAttached(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x300 || isPlain(unit)) return false;
  return ATTACHED.test(String.fromCodePoint(text.codePointAt(at) ?? unit));
}

/** Printable ASCII and CJK ideographs: between two of these there is always a cluster bound. */
function isPlain(unit: number): boolean {
  return (unit >= 0x20 && unit < 0x7f) || (unit >= 0x3400 && unit < 0xa000);
}

let segmenter: Intl.Segmenter | undefined;

/** The last cluster bound up to `max`. Clusters are looked for only from the nearest certain bound on. */
function clusterBound(text: string, start: number, max: number): number | undefined {
  let anchor = max;
  while (anchor > start && !(isPlain(text.charCodeAt(anchor - 1)) && isPlain(text.charCodeAt(anchor))))
    anchor -= 1;
  if (anchor === max) return max;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const segments = segmenter.segment(text.slice(anchor, max + WHOLE_UNITS));
  const cut = anchor + (segments.containing(max - anchor)?.index ?? 0);
  return cut > start ? cut : undefined;
}

/** One cluster fills the piece, and more: cut it, but not a surrogate pair. */
function pairBound(text: string, start: number, max: number): number {
  const unit = text.charCodeAt(max);
  return unit >= 0xdc00 && unit < 0xe000 && max - 1 > start ? max - 1 : max;
}

/** A code line too long for one piece: cut where no blank would be trimmed from it, if there is such a place. */
function solidPlace(text: string, start: number, max: number, reach: number): number {
  for (let at = max; at >= start + reach * FULL; at -= 1) {
    if (!isSpace(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at - 1))) return at;
  }
  return max;
}

/** Moves a cut that falls inside a short whole to the start of it. */
function keepWhole(
  text: string,
  wholes: readonly TextRange[],
  start: number,
  cut: number,
  reach: number,
): number {
  const next = lowerBound(wholes, cut, (it) => it.start);
  // A whole may hold smaller ones, so the one that was cut need not be the last that starts before the cut.
  for (let index = next - 1; index >= Math.max(0, next - 4); index -= 1) {
    const whole = wholes[index];
    if (whole === undefined || whole.end <= cut || whole.end - whole.start > WHOLE_UNITS) continue;
    if (whole.start >= start + reach * SPARSE && !isAttached(text, whole.start)) return whole.start;
  }
  return cut;
}
