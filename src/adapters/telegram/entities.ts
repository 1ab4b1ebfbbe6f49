/**
 * Styled ranges to Telegram's entities. Telegram drops what breaks its rules, often silently: that is why the ranges
 * come from `styled-ranges.ts`, and why they are weighed as the server counts them.
 */
import type { MessageEntity } from 'grammy/types';
import type { StyledSpan, TextRange } from '../kit/markdown-writer.js';
import type { WeightedRange } from '../kit/split.js';
import type { StyledRange } from '../kit/styled-ranges.js';

/** A word that holds something Telegram may mark by itself: an address, mention, command or tag. Rather too often. */
const FOUND = /:\/\/|\.\p{L}{2}|@\w|(?<![\p{L}\p{N}_/<>])[/#$][\p{L}\p{N}_]/u;

/**
 * How many entities the server makes of the ranges. It also counts what it finds by itself outside code and links,
 * and cuts bold and the like wherever something begins or ends within.
 */
export function weighRanges(text: string, ranges: readonly StyledRange[]): readonly WeightedRange[] {
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

function foundRanges(text: string, ranges: readonly StyledRange[]): readonly TextRange[] {
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

export function toEntity({ start, end, span }: StyledRange, textStart: number): MessageEntity {
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
} as const satisfies Record<Exclude<StyledSpan['style'], 'link' | 'code-block'>, MessageEntity['type']>;
