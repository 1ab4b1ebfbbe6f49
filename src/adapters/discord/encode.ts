/**
 * Model Markdown to Discord messages. Pure.
 *
 * 1. Every message is at most 2000 UTF-16 units with all its marks; the server counts characters, which are fewer.
 * 2. A fence is closed at the end of a message and opened again, with its language, in the next.
 * 3. The messages' words, joined, are the words of the reply; at a cut white space is dropped.
 */
import { type FlattenOptions, flattenMarkdown } from '../kit/markdown-flatten.js';
import { closeOpenMarks } from '../kit/markdown-open.js';
import { parseMarkdown } from '../kit/markdown-parse.js';
import type { StyledText } from '../kit/markdown-writer.js';
import { isVisible, type Piece, splitPieces } from '../kit/split.js';
import { cutRanges, type StyledRange, toStyledRanges } from '../kit/styled-ranges.js';
import { toMarkup } from './markup.js';

export const TEXT_LIMIT_UNITS = 2_000;
/** Marks lengthen a text; a piece that is too long with them is cut smaller, by this much each time. */
const SHRINK = 0.75;
const SMALLEST_UNITS = 64;

const isLinkable = (url: string): boolean =>
  /^https?:\/\/[^\s/]+\.[^\s/]+/iu.test(url) || /^https?:\/\/localhost/iu.test(url);
const LAYOUT: FlattenOptions = { canLink: isLinkable, tableColumns: 60 };

export interface DiscordText {
  /** As people read it. */
  readonly text: string;
  /** As it is sent. */
  readonly content: string;
}

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
const render = (text: string, piece: Piece, ranges: readonly StyledRange[]): DiscordText => {
  const inside = ranges.map((range) => ({ ...range, start: Math.max(range.start, piece.start) }));
  return {
    text: text.slice(piece.start, piece.end),
    content: toMarkup(text, piece.start, piece.end, inside).trim(),
  };
};

/** Pieces of `styled` between two bounds, cut so small that each fits with its marks. */
const fitting = (styled: StyledText, limitUnits: number): readonly DiscordText[] => {
  const ranges = toStyledRanges(styled);
  const messages: DiscordText[] = [];
  const addFrom = (part: StyledText, partRanges: readonly StyledRange[], size: number): void => {
    const pieces = splitStyled(part, partRanges, Math.max(SMALLEST_UNITS, Math.floor(size)));
    const cut = cutRanges(pieces, partRanges);
    for (const [index, piece] of pieces.entries()) {
      const message = render(part.text, piece, cut[index] ?? []);
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
const within = (message: DiscordText, limitUnits: number): readonly DiscordText[] => {
  if (message.content.length <= limitUnits) return [message];
  return splitPieces(message.text, { limitUnits }).map(({ start, end }) => {
    const text = message.text.slice(start, end);
    return { text, content: text };
  });
};

/** The messages of one reply, in order; none if nothing is visible. Never throws. */
export const encodeMarkdown = (markdown: string, limitUnits = TEXT_LIMIT_UNITS): readonly DiscordText[] =>
  fitting(flattenMarkdown(parseMarkdown(markdown), LAYOUT), limitUnits).filter(({ content }) =>
    isVisible(content),
  );

/** Far more than the markup of one message. */
const PREVIEW_SOURCE_FACTOR = 8;

/** The first message of a reply that is still being written; marks left open count as closed. Undefined: nothing to see. */
export const encodePreview = (markdown: string): DiscordText | undefined => {
  const enough = TEXT_LIMIT_UNITS * PREVIEW_SOURCE_FACTOR;
  const source = markdown.length > enough ? markdown.slice(0, enough) : markdown;
  return encodeMarkdown(closeOpenMarks(source))[0];
};
