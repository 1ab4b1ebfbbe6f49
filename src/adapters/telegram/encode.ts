/**
 * Model Markdown to Telegram messages: plain text with entities, never a markup string, since escaping lengthens
 * text and a markup error costs the whole message. Pure.
 *
 * 1. Every chunk is at most `limitUnits` UTF-16 units of visible text, and begins and ends with a visible
 *    character, so that Telegram trims nothing and offsets stay true.
 * 2. At most 100 entities a chunk, counted as the server counts: it drops the rest without saying so.
 * 3. The chunks' texts, joined, are the text of the reply. What is missing is white space at the cuts; what is
 *    added is a line `…` before code that would otherwise begin a message with its indentation and lose it.
 * 4. Styles go on in the next chunk; a link cut in two keeps its address in both.
 */
import type { MessageEntity } from 'grammy/types';
import { type FlattenOptions, flattenMarkdown } from '../kit/markdown-flatten.js';
import { closeOpenMarks } from '../kit/markdown-open.js';
import { parseMarkdown } from '../kit/markdown-parse.js';
import { INDENT_GUARD, type Piece, pieceText, splitPieces } from '../kit/split.js';
import { cutRanges, type StyledRange, toStyledRanges } from '../kit/styled-ranges.js';
import { toEntity, weighRanges } from './entities.js';
import { isLinkable } from './link-address.js';

/** What `sendMessage` takes; also a caption, with a limit of 1024. */
export interface TelegramText {
  readonly text: string;
  /** Sorted by offset, the outer one first; properly nested. A fresh array, for the caller to hand on. */
  readonly entities: MessageEntity[];
}

/** Bot API limit for a message's text after entities parsing, in UTF-16 units. */
export const TEXT_LIMIT_UNITS = 4096;
const MAX_ENTITIES = 100;
/** The server makes one space of a tab: an indented line would lose its indentation. */
const LAYOUT: FlattenOptions = { canLink: isLinkable, tabColumns: 4 };

/** The messages of one reply, in order; none if nothing is visible. `limitUnits` at least 16. Never throws. */
export function encodeMarkdown(markdown: string, limitUnits = TEXT_LIMIT_UNITS): readonly TelegramText[] {
  const styled = flattenMarkdown(parseMarkdown(markdown), LAYOUT);
  const ranges = toStyledRanges(styled);
  const pieces = splitPieces(styled.text, {
    limitUnits,
    blockStarts: styled.blockStarts,
    codeBlocks: ranges.filter((it) => it.span.style === 'code-block'),
    wholes: ranges.filter((it) => it.span.style === 'link' || it.span.style === 'code'),
    ranges: weighRanges(styled.text, ranges),
    maxWeight: MAX_ENTITIES,
  });
  return encodePieces(styled.text, pieces, ranges);
}

function encodePieces(
  text: string,
  pieces: readonly Piece[],
  ranges: readonly StyledRange[],
): readonly TelegramText[] {
  const perPiece = cutRanges(pieces, ranges);
  return pieces.map((piece, index) => {
    const textStart = piece.start - (piece.indented ? INDENT_GUARD.length : 0);
    const entities = (perPiece[index] ?? []).map((range) => toEntity(range, textStart));
    return { text: pieceText(text, piece), entities };
  });
}

/** Far more than the markup of one message; a longer prefix is encoded in full only if this gives no full message. */
const PREVIEW_SOURCE_FACTOR = 8;

/**
 * The message that shows a reply while it is being written, from all the Markdown so far. It is the first
 * message of the reply: it grows until it is full, then stays, and the final `encodeMarkdown` adds the others
 * after it. Marks left open at the end count as closed there. Undefined while nothing is visible.
 */
export function encodePreview(markdown: string, limitUnits = TEXT_LIMIT_UNITS): TelegramText | undefined {
  const enough = limitUnits * PREVIEW_SOURCE_FACTOR;
  if (markdown.length > enough) {
    const [first, second] = encodeMarkdown(markdown.slice(0, enough), limitUnits);
    if (second !== undefined) return first;
  }
  return encodeMarkdown(closeOpenMarks(markdown), limitUnits)[0];
}

/**
 * A chunk whose entities Telegram refused, as plain text: each link's address follows its label, unless it is
 * the label. Usually one text; more if the addresses make it exceed the limit.
 */
export function plainChunks(chunk: TelegramText, limitUnits = TEXT_LIMIT_UNITS): readonly string[] {
  const parts: string[] = [];
  const codeBlocks: { start: number; end: number }[] = [];
  let from = 0;
  let added = 0;
  for (const entity of chunk.entities) {
    const end = entity.offset + entity.length;
    if (entity.type === 'pre') codeBlocks.push({ start: entity.offset + added, end: end + added });
    if (entity.type !== 'text_link' || chunk.text.slice(entity.offset, end) === entity.url) continue;
    const address = ` (${entity.url})`;
    parts.push(chunk.text.slice(from, end), address);
    added += address.length;
    from = end;
  }
  parts.push(chunk.text.slice(from));
  const text = parts.join('');
  return splitPieces(text, { limitUnits, codeBlocks }).map((piece) => pieceText(text, piece));
}
