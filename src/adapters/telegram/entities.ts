/**
 * Styled ranges to Telegram's entities, for the whole text at once; `encode.ts` cuts them per message.
 *
 * Telegram's rules, which it enforces by dropping what breaks them, often silently:
 * 1. `pre` and `code` hold no other entity and lie in no bold, italic or the like: the style is split around them.
 * 2. A link or a spoiler and `code` exclude each other: the link works and the spoiler hides, so code gives way.
 * 3. An entity begins and ends with a visible character; only `pre` keeps the indentation of its first line.
 */
import type { MessageEntity } from 'grammy/types';
import type { StyledSpan, StyledText, TextRange } from '../kit/markdown-writer.js';
import type { WeightedRange } from '../kit/split.js';
import { isSpace } from '../kit/split-cut.js';

type Style = StyledSpan['style'];

export type EntityRange = TextRange & { readonly span: StyledSpan };

/** Sorted by start, the outer one first; properly nested. */
export function toEntityRanges({ text, spans }: StyledText): readonly EntityRange[] {
  const codes = exclusiveCodes(spans);
  const blockEnds = new Map(codes.filter((it) => it.style === 'code-block').map((it) => [it.start, it.end]));
  const ranges: EntityRange[] = codes.map((span) => trimmed(text, span.start, span.end, span, blockEnds));
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
 * A quote that begins with indented code starts after it: Telegram would move the quote's start past the indentation,
 * and then drop the code for crossing it.
 */
function trimmed(
  text: string,
  from: number,
  to: number,
  span: StyledSpan,
  blockEnds: ReadonlyMap<number, number>,
): EntityRange {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) {
    if (span.style === 'code-block') break;
    start = blockEnds.get(start) ?? start + 1;
  }
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end, span };
}

/** Telegram lists the quote first where two entities cover the same text. */
function rank(style: Style): number {
  return style === 'quote' ? 0 : style === 'code' || style === 'code-block' ? 2 : 1;
}

/** A word that holds something Telegram may mark by itself: an address, mention, command or tag. Rather too often. */
const FOUND = /:\/\/|\.\p{L}{2}|@\w|(?<![\p{L}\p{N}_/<>])[/#$][\p{L}\p{N}_]/u;

/**
 * How many entities the server makes of the ranges. It also counts what it finds by itself outside code and links,
 * and cuts bold and the like wherever something begins or ends within.
 */
export function weighRanges(text: string, ranges: readonly EntityRange[]): readonly WeightedRange[] {
  const all = [...ranges, ...foundRanges(text, ranges)].sort((a, b) => a.start - b.start || b.end - a.end);
  let open: (TextRange & { readonly span?: StyledSpan })[] = [];
  return all.map((range) => {
    open = open.filter((it) => it.end > range.start);
    const weight = 1 + 2 * open.filter((it) => it.span !== undefined && it.span.style in SPLIT).length;
    open.push(range);
    return { start: range.start, end: range.end, weight };
  });
}

const SPLIT = { strong: true, emphasis: true, strike: true, spoiler: true };

function foundRanges(text: string, ranges: readonly EntityRange[]): readonly TextRange[] {
  const solids = ranges.filter(({ span }) => span.style in SOLID);
  const found: TextRange[] = [];
  let next = 0;
  for (const match of text.matchAll(/\S+/g)) {
    const [start, end] = [match.index, match.index + match[0].length];
    while (next < solids.length && (solids[next]?.end ?? 0) <= start) next += 1;
    if ((solids[next]?.start ?? end) >= end && FOUND.test(match[0])) found.push({ start, end });
  }
  return found;
}

const SOLID = { link: true, code: true, 'code-block': true };

export function toEntity({ start, end, span }: EntityRange, textStart: number): MessageEntity {
  const place = { offset: start - textStart, length: end - start };
  switch (span.style) {
    case 'link':
      return { type: 'text_link', ...place, url: span.url };
    case 'code-block':
      return { type: 'pre', ...place, ...(span.language === undefined ? {} : { language: span.language }) };
    default:
      return { type: SIMPLE[span.style], ...place };
  }
}

const SIMPLE = {
  strong: 'bold',
  emphasis: 'italic',
  strike: 'strikethrough',
  spoiler: 'spoiler',
  quote: 'blockquote',
  code: 'code',
} as const satisfies Record<Exclude<Style, 'link' | 'code-block'>, MessageEntity['type']>;
