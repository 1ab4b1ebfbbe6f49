import * as z from 'zod';
import type { EncodedMessage } from '../../core/outbound.js';
import { mediaKinds, type OutboundMediaPart, type OutboundPart, textOf } from '../../core/parts.js';
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

const toTexts = (markdown: string): readonly string[] => {
  const text = toStorableText(markdown);
  if (!isVisible(text)) return [];
  return text.length <= MAX_TEXT_UNITS ? [text] : splitText(text, MAX_TEXT_UNITS);
};

const storedFile = z.object({
  path: z.string(),
  fileName: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
});
const payloadShape = z
  .object({ files: z.array(z.object({ kind: z.enum(mediaKinds), file: storedFile })) })
  .nullable();

/** The files of a message that `encode` made. */
export const filesOf = ({ payload }: EncodedMessage): readonly Omit<OutboundMediaPart, 'type'>[] =>
  payloadShape.parse(payload)?.files ?? [];

/** The files stand beside the last of the texts, or alone. */
export const encode = (parts: readonly OutboundPart[]): readonly EncodedMessage[] => {
  const texts = toTexts(textOf(parts));
  const media = parts.filter((part) => part.type === 'media');
  if (media.length === 0) return texts.map((text) => ({ text, payload: null }));
  const files = media.map(({ kind, file }) => ({ kind, file: { ...file } }));
  return [
    ...texts.slice(0, -1).map((text) => ({ text, payload: null })),
    { text: texts.at(-1) ?? '', payload: { files }, files: media.map(({ file }) => file.path) },
  ];
};

export const annotate = (
  { text, payload, files }: EncodedMessage,
  note: string,
): readonly EncodedMessage[] => {
  const texts = toTexts(`${note}\n${text}`);
  return texts.map((one, index) =>
    index === texts.length - 1
      ? { text: one, payload, ...(files !== undefined && { files }) }
      : { text: one, payload: null },
  );
};
