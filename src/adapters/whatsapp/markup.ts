/**
 * Styled text to WhatsApp's marks: `*bold*`, `_italic_`, `~struck~`, backticks, `> ` before a quote. There is no escape,
 * so a mark is left out where it would not be read as one: inside a word, and around nothing. Pure.
 */
import type { StyledRange } from '../kit/styled-ranges.js';

/** WhatsApp ends a fence at the first three backticks: the invisible character between them does not show. */
const fenced = (code: string): string => `\`\`\`\n${code.replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``;

/** A backtick within would end it, and cannot be escaped. */
const inline = (code: string): string => (/[`\n]/u.test(code) ? code.replaceAll('\n', ' ') : `\`${code}\``);

const quoted = (text: string): string => text.replaceAll(/^/gmu, '> ');

const marks: Readonly<Partial<Record<StyledRange['span']['style'], string>>> = {
  strong: '*',
  emphasis: '_',
  strike: '~',
};

/** A mark does not reach over a line's end, and needs visible text inside on both sides. */
const wrapLines = (inner: string, mark: string): string =>
  inner
    .split('\n')
    .map((line) => {
      const [, before = '', body = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(line) ?? [];
      return body === '' || body === mark ? line : `${before}${mark}${body}${mark}${after}`;
    })
    .join('\n');

const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(at));

const marked = (range: StyledRange, text: string, inner: string): string => {
  const { start, end, span } = range;
  const source = text.slice(start, end);
  if (span.style === 'code-block') return fenced(source);
  if (span.style === 'code') return inline(source);
  if (span.style === 'quote') return quoted(inner);
  const mark = marks[span.style];
  if (mark === undefined || isWordAt(text, start - 1) || isWordAt(text, end)) return inner;
  return wrapLines(inner, mark);
};

/** A fence, and a quote's first sign, have to begin their line; what follows a fence begins a new one. */
const needsOwnLine = ({ span }: StyledRange): boolean =>
  span.style === 'code-block' || span.style === 'quote';

/**
 * The marked text between `start` and `end`, with the ranges that lie in it: by start, the outer one first, properly
 * nested.
 */
export const toMarkup = (
  text: string,
  start: number,
  end: number,
  ranges: readonly StyledRange[],
): string => {
  let next = 0;
  const render = (from: number, to: number): string => {
    const parts: string[] = [];
    let at = from;
    for (;;) {
      const range = ranges[next];
      if (range === undefined || range.start >= to) break;
      next += 1;
      if (range.end <= at && range.end !== range.start) continue;
      const begin = Math.max(range.start, at);
      parts.push(text.slice(at, begin));
      const inner = render(begin, range.end);
      const isBlock = needsOwnLine(range);
      if (isBlock && begin > from && text.charAt(begin - 1) !== '\n') parts.push('\n');
      parts.push(marked({ ...range, start: begin }, text, inner));
      at = range.end;
      if (isBlock && at < to && text.charAt(at) !== '\n') parts.push('\n');
    }
    parts.push(text.slice(at, to));
    return parts.join('');
  };
  return render(start, end);
};
