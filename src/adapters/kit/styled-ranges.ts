/**
 * Styled ranges made fit for platforms that mark text, for a whole text at once; each platform cuts them per message.
 *
 * 1. Code holds no other mark and lies in no bold, italic or the like: the style is split around it.
 * 2. A link or a spoiler and inline code exclude each other: the link works and the spoiler hides, so code gives way.
 * 3. A range begins and ends with a visible character; only a code block keeps the indentation of its first line.
 */
import type { StyledSpan, StyledText, TextRange } from './markdown-writer.js';
import { INDENT_GUARD, type Piece } from './split.js';
import { isSpace } from './split-cut.js';

type Style = StyledSpan['style'];

export type StyledRange = TextRange & { readonly span: StyledSpan };

/** Sorted by start, the outer one first; properly nested. */
export function toStyledRanges({ text, spans }: StyledText): readonly StyledRange[] {
  const codes = exclusiveCodes(spans);
  const blockEnds = new Map(codes.filter((it) => it.style === 'code-block').map((it) => [it.start, it.end]));
  const ranges: StyledRange[] = codes.map((span) => trimmed(text, span.start, span.end, span, blockEnds));
  let next = 0;
  for (const span of spans) {
    while (next < codes.length && (codes[next]?.end ?? 0) <= span.start) next += 1;
    if (span.style === 'code' || span.style === 'code-block') continue;
    for (const part of span.style === 'quote' ? [span] : without(span, codes, next)) {
      ranges.push(trimmed(text, part.start, part.end, span, blockEnds));
    }
  }
  const filled = ranges.filter((it) => it.end > it.start);
  return filled.sort((a, b) => a.start - b.start || b.end - a.end || rank(a.span.style) - rank(b.span.style));
}

/** All code blocks, and inline code that no link and no spoiler covers. */
function exclusiveCodes(spans: readonly StyledSpan[]): readonly StyledSpan[] {
  let coveredEnd = 0;
  return spans.filter((span) => {
    if (span.style === 'link' || span.style === 'spoiler') coveredEnd = Math.max(coveredEnd, span.end);
    return span.style === 'code-block' || (span.style === 'code' && span.start >= coveredEnd);
  });
}

function without(span: StyledSpan, codes: readonly StyledSpan[], from: number): readonly TextRange[] {
  const parts: TextRange[] = [];
  let start = span.start;
  for (let index = from; index < codes.length; index += 1) {
    const code = codes[index];
    if (code === undefined || code.start >= span.end) break;
    parts.push({ start, end: code.start });
    start = code.end;
  }
  parts.push({ start, end: span.end });
  return parts;
}

/**
 * A quote that begins with indented code starts after it: a quote's start would be moved past the indentation, and
 * then cross the code.
 */
function trimmed(
  text: string,
  from: number,
  to: number,
  span: StyledSpan,
  blockEnds: ReadonlyMap<number, number>,
): StyledRange {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) {
    if (span.style === 'code-block') break;
    start = blockEnds.get(start) ?? start + 1;
  }
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end, span };
}

/** The quote first where two ranges cover the same text, code last. */
function rank(style: Style): number {
  return style === 'quote' ? 0 : style === 'code' || style === 'code-block' ? 2 : 1;
}

/** For each piece the ranges that reach into it, cut to it. Both ascending. */
export function cutRanges(
  pieces: readonly Piece[],
  ranges: readonly StyledRange[],
): readonly (readonly StyledRange[])[] {
  let next = 0;
  let open: StyledRange[] = [];
  return pieces.map((piece) => {
    let range = ranges[next];
    while (range !== undefined && range.start < piece.end) {
      open.push(range);
      next += 1;
      range = ranges[next];
    }
    open = open.filter((it) => it.end > piece.start);
    return open.map((it) => clip(it, piece));
  });
}

/** A quote that goes on with indented code takes in the line before it, as no quote may begin with white space. */
function clip({ start, end, span }: StyledRange, piece: Piece): StyledRange {
  const from = piece.indented && span.style === 'quote' ? piece.start - INDENT_GUARD.length : piece.start;
  return { start: start < piece.start ? from : start, end: Math.min(end, piece.end), span };
}
