/**
 * Styled text to Discord's own Markdown. Everything that is no mark of ours is escaped, so that text shows as it is;
 * tags (`<@1>`, `<:name:2>`) and addresses stay untouched, as an escape within would break them. Pure.
 */
import type { StyledRange } from '../kit/styled-ranges.js';

/** Left as they are: addresses, and tags of people, roles, channels, emoji and times. */
const UNTOUCHED = /https?:\/\/[^\s<>]+|<(?:[@#][!&]?\d+|a?:\w+:\d+|t:-?\d+(?::[a-zA-Z])?)>/gu;

const escapePlain = (text: string): string =>
  text
    .replace(/\\(?=[!-/:-@[-`{-~])/gu, '\\\\')
    .replace(/[*_`~]|\|(?=\|)|(?<=\|)\||\[(?=[^\]\n]*\]\()/gu, '\\$&')
    // Signs that mean something at the beginning of a line only.
    .replace(/^([ \t]*)(#{1,3}(?= )|-#(?= )|>{1,3}(?= )|[-+](?= ))/gmu, '$1\\$2');

const escapeText = (text: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(UNTOUCHED)) {
    parts.push(escapePlain(text.slice(from, match.index)), match[0]);
    from = match.index + match[0].length;
  }
  parts.push(escapePlain(text.slice(from)));
  return parts.join('');
};

/** A fence within would end ours: the invisible character between its marks does not show. */
const fenced = (code: string, language: string | undefined): string =>
  `\`\`\`${language?.replace(/[^\w+#.-]/gu, '') ?? ''}\n${code.replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``;

const inline = (code: string): string => {
  const text = code.replaceAll('\n', ' ');
  if (!text.includes('`')) return `\`${text}\``;
  return `\`\`${text.startsWith('`') ? ' ' : ''}${text.replaceAll('``', '`\u200b`')}${text.endsWith('`') ? ' ' : ''}\`\``;
};

/** Angle brackets keep Discord from showing a preview of the address. */
const linked = (label: string, url: string): string =>
  `[${label}](<${url.replaceAll('>', '%3E').replaceAll('<', '%3C').replaceAll(' ', '%20')}>)`;

const quoted = (text: string): string => text.replaceAll(/^/gmu, '> ');

const marks: Readonly<Record<'strong' | 'emphasis' | 'strike' | 'spoiler', string>> = {
  strong: '**',
  emphasis: '*',
  strike: '~~',
  spoiler: '||',
};

const marked = (range: StyledRange, source: string, inner: string): string => {
  const { span } = range;
  switch (span.style) {
    case 'code-block':
      return fenced(source, span.language);
    case 'code':
      return inline(source);
    case 'link':
      return linked(inner, span.url);
    case 'quote':
      return quoted(inner);
    default:
      return `${marks[span.style]}${inner}${marks[span.style]}`;
  }
};

/** A fence, and a quote's first sign, have to begin their line; what follows a fence begins a new one. */
const needsOwnLine = ({ span }: StyledRange): boolean =>
  span.style === 'code-block' || span.style === 'quote';

/**
 * The Markdown of `text` between `start` and `end`, with the ranges that lie in it: by start, the outer one first,
 * properly nested.
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
      parts.push(escapeText(text.slice(at, begin)));
      const inner = render(begin, range.end);
      const isBlock = needsOwnLine(range);
      if (isBlock && begin > from && text.charAt(begin - 1) !== '\n') parts.push('\n');
      parts.push(marked(range, text.slice(begin, range.end), inner));
      at = range.end;
      if (isBlock && at < to && text.charAt(at) !== '\n') parts.push('\n');
    }
    parts.push(escapeText(text.slice(at, to)));
    return parts.join('');
  };
  return render(start, end);
};
