import type { EncodedMessage } from '../../core/outbound.js';
import { type OutboundPart, textOf } from '../../core/parts.js';
import type { ContentSupport } from '../../core/platform.js';
import { isVisible, splitText } from '../kit/split.js';

/** Far above any answer; it keeps one message from being a burden to the page and the database. */
export const MAX_TEXT_UNITS = 1_000_000;

export const support: ContentSupport = {
  text: {
    level: 'native',
    maxLength: MAX_TEXT_UNITS,
    unit: 'utf16',
    hint:
      'Markdown is rendered in full: headings, lists, tables, quotes, links, and code blocks with a language name. ' +
      'Images and raw HTML are not shown.',
  },
};

/** The database cuts a text at U+0000 and knows no half of a surrogate pair. */
export const toStorableText = (text: string): string =>
  Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8');

const toMessages = (markdown: string): readonly EncodedMessage[] => {
  const text = toStorableText(markdown);
  if (!isVisible(text)) return [];
  const pieces = text.length <= MAX_TEXT_UNITS ? [text] : splitText(text, MAX_TEXT_UNITS);
  return pieces.map((piece) => ({ text: piece, payload: null }));
};

export const encode = (parts: readonly OutboundPart[]): readonly EncodedMessage[] =>
  toMessages(textOf(parts));

export const annotate = ({ text }: EncodedMessage, note: string): readonly EncodedMessage[] =>
  toMessages(`${note}\n${text}`);
