/**
 * Cuts a text into pieces that fit one message each.
 *
 * 1. Nothing but white space is dropped: outside code all of it around a cut, inside code the blank rest of the
 *    line before the cut, and blank lines. Every piece begins and ends with a visible character, as platforms
 *    trim messages anyway, except that a piece may begin with the indentation of a code line (`indented`); what
 *    is sent then begins with {@link INDENT_GUARD}, or the indentation would be trimmed. Only an indentation that
 *    fills a whole piece is given up.
 * 2. No cut falls inside a grapheme cluster, unless one cluster alone exceeds the limit; never inside a
 *    surrogate pair.
 * 3. Time is linear: each unit is looked at a bounded number of times.
 */
import type { TextRange } from './markdown-writer.js';
import { type CutOptions, findCut, isSpace } from './split-cut.js';

export interface SplitOptions extends CutOptions {
  /** By start: the weights of the ranges that a piece touches add up to `maxWeight` at most. */
  readonly ranges?: readonly WeightedRange[];
  /** More than what ranges nested in one another weigh together. Default: no limit. */
  readonly maxWeight?: number;
}

export interface WeightedRange extends TextRange {
  readonly weight: number;
}

export interface Piece extends TextRange {
  /** Whether the piece begins with the indentation of code. */
  readonly indented: boolean;
}

/** A line of its own before a piece that begins with indentation; counted in the piece's length. */
export const INDENT_GUARD = '…\n';

/** Pieces in order, none blank. A text without a visible character gives none. */
export function splitPieces(text: string, options: SplitOptions): readonly Piece[] {
  const end = trimEndAt(text, text.length);
  const codeBlocks = options.codeBlocks ?? [];
  const pieces: Piece[] = [];
  const counter = new RangeCounter(options.ranges ?? [], options.maxWeight ?? Number.POSITIVE_INFINITY);
  let codeIndex = 0;
  let from = 0;
  while (from < end) {
    while ((codeBlocks[codeIndex]?.end ?? Number.POSITIVE_INFINITY) <= from) codeIndex += 1;
    const start = pieceStart(text, from, codeBlocks[codeIndex]);
    if (start >= end) break;
    const indented = isSpace(text.charCodeAt(start));
    const room = options.limitUnits - (indented ? INDENT_GUARD.length : 0);
    const max = Math.min(start + room, counter.endFrom(start));
    const cut = max >= end ? end : findCut(text, start, max, options, codeIndex);
    const piece = { start, end: trimEndAt(text, cut), indented };
    if (piece.end > start && isVisible(text.slice(start, piece.end))) pieces.push(piece);
    from = cut;
  }
  return pieces;
}

/** The text to send for a piece. */
export function pieceText(text: string, piece: Piece): string {
  const body = text.slice(piece.start, piece.end);
  return piece.indented ? INDENT_GUARD + body : body;
}

/** Plain text in pieces of at most `limitUnits`. */
export function splitText(text: string, limitUnits: number): readonly string[] {
  return splitPieces(text, { limitUnits }).map((piece) => pieceText(text, piece));
}

/** First visible character from `from` on, or in code the start of its line if only indentation stands between. */
function pieceStart(text: string, from: number, code: TextRange | undefined): number {
  let start = from;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  if (code === undefined || start < code.start || start >= code.end) return start;
  let lineStart = start;
  while (
    lineStart > Math.max(from, code.start) &&
    text.charAt(lineStart - 1) !== '\n' &&
    isSpace(text.charCodeAt(lineStart - 1))
  )
    lineStart -= 1;
  return lineStart === code.start || text.charAt(lineStart - 1) === '\n' ? lineStart : start;
}

function trimEndAt(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Platforms refuse a message that shows nothing, such as one of zero-width characters alone. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Tells how far a piece may reach before the ranges it touches weigh too much. */
class RangeCounter {
  readonly #ranges: readonly WeightedRange[];
  readonly #max: number;
  #open: readonly WeightedRange[] = [];
  #next = 0;

  constructor(ranges: readonly WeightedRange[], max: number) {
    this.#ranges = ranges;
    this.#max = max;
  }

  /** Calls come with ascending starts. */
  endFrom(start: number): number {
    const begun: WeightedRange[] = [];
    for (;;) {
      const range = this.#ranges[this.#next];
      if (range === undefined || range.start >= start) break;
      begun.push(range);
      this.#next += 1;
    }
    this.#open = [...this.#open, ...begun].filter((it) => it.end > start);
    let weight = this.#open.reduce((sum, it) => sum + it.weight, 0);
    for (let index = this.#next; ; index += 1) {
      const range = this.#ranges[index];
      if (range === undefined) return Number.POSITIVE_INFINITY;
      weight += range.weight;
      if (weight > this.#max) return Math.max(range.start, start + 1);
    }
  }
}
