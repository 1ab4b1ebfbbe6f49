/**
 * Messages of a platform whose marks stand in the text. Marks lengthen it, so a piece that is too long with them is cut
 * smaller until it fits; text that is nearly all marks goes without them. Pure.
 */
import type { StyledText } from './markdown-writer.js';
import { type Piece, splitPieces } from './split.js';
import { cutRanges, type StyledRange, toStyledRanges } from './styled-ranges.js';

/** One message. */
export interface MarkedText {
  /** As people read it. */
  readonly text: string;
  /** As it is sent. */
  readonly content: string;
}

/** The marked text between `start` and `end`, with the ranges that lie in it. */
export type Markup = (text: string, start: number, end: number, ranges: readonly StyledRange[]) => string;

/** A piece that is too long with its marks is cut smaller, by this much each time. */
const SHRINK = 0.75;
const SMALLEST_UNITS = 64;

const isCode = ({ span }: StyledRange): boolean => span.style === 'code-block';

const splitStyled = (
  styled: StyledText,
  ranges: readonly StyledRange[],
  limitUnits: number,
): readonly Piece[] =>
  splitPieces(styled.text, {
    limitUnits,
    blockStarts: styled.blockStarts,
    codeBlocks: ranges.filter(isCode),
    wholes: ranges.filter(({ span }) => span.style === 'link' || span.style === 'code'),
  });

/** In a fence indentation is safe at the beginning of a message, so a piece needs no line before it. */
const render = (text: string, piece: Piece, ranges: readonly StyledRange[], markup: Markup): MarkedText => {
  const inside = ranges.map((range) => ({ ...range, start: Math.max(range.start, piece.start) }));
  return {
    text: text.slice(piece.start, piece.end),
    content: markup(text, piece.start, piece.end, inside).trim(),
  };
};

/** A text as messages of at most `limitUnits` UTF-16 units each, marks included; in order. */
export const fitMarked = (styled: StyledText, limitUnits: number, markup: Markup): readonly MarkedText[] => {
  const ranges = toStyledRanges(styled);
  const messages: MarkedText[] = [];
  const addFrom = (part: StyledText, partRanges: readonly StyledRange[], size: number): void => {
    const pieces = splitStyled(part, partRanges, Math.max(SMALLEST_UNITS, Math.floor(size)));
    const cut = cutRanges(pieces, partRanges);
    for (const [index, piece] of pieces.entries()) {
      const message = render(part.text, piece, cut[index] ?? [], markup);
      if (message.content.length <= limitUnits || size <= SMALLEST_UNITS) messages.push(message);
      else addFrom(...subText(part, piece, cut[index] ?? []), size * SHRINK);
    }
  };
  addFrom(styled, ranges, limitUnits);
  return messages.flatMap((message) => within(message, limitUnits));
};

/** The part of a text that a piece covers, as a text of its own. */
const subText = (
  { text, blockStarts }: StyledText,
  { start, end }: Piece,
  ranges: readonly StyledRange[],
): [StyledText, readonly StyledRange[]] => [
  {
    text: text.slice(start, end),
    spans: [],
    blockStarts: blockStarts.filter((at) => at >= start && at < end).map((at) => at - start),
  },
  ranges.map((range) => ({ ...range, start: Math.max(0, range.start - start), end: range.end - start })),
];

/** The last resort for text that is nearly all marks: as plain text, which needs no more than itself. */
const within = (message: MarkedText, limitUnits: number): readonly MarkedText[] => {
  if (message.content.length <= limitUnits) return [message];
  return splitPieces(message.text, { limitUnits }).map(({ start, end }) => {
    const text = message.text.slice(start, end);
    return { text, content: text };
  });
};
