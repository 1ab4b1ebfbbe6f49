/**
 * Model Markdown to WhatsApp messages. Pure.
 *
 * 1. Every message is at most 4096 UTF-16 units with its marks: WhatsApp takes more, but folds what is longer away.
 * 2. A fence is closed at the end of a message and opened again in the next.
 * 3. The messages' words, joined, are the words of the reply; at a cut white space is dropped.
 */
import { fitMarked, type MarkedText } from '../kit/fit-marked.js';
import { type FlattenOptions, flattenMarkdown } from '../kit/markdown-flatten.js';
import { closeOpenMarks } from '../kit/markdown-open.js';
import { parseMarkdown } from '../kit/markdown-parse.js';
import { isVisible } from '../kit/split.js';
import { toMarkup } from './markup.js';

export const TEXT_LIMIT_UNITS = 4_096;

/** No address hides behind a label. A phone shows forty columns of a fence before it breaks its lines. */
const LAYOUT: FlattenOptions = { canLink: () => false, tableColumns: 40 };

/** The messages of one reply, in order; none if nothing is visible. Never throws. */
export const encodeMarkdown = (markdown: string, limitUnits = TEXT_LIMIT_UNITS): readonly MarkedText[] =>
  fitMarked(flattenMarkdown(parseMarkdown(markdown), LAYOUT), limitUnits, toMarkup).filter(({ content }) =>
    isVisible(content),
  );

/** Far more than the markup of one message. */
const PREVIEW_SOURCE_FACTOR = 8;

/** The first message of a reply that is still being written; marks left open count as closed. Undefined: nothing to see. */
export const encodePreview = (markdown: string): MarkedText | undefined => {
  const enough = TEXT_LIMIT_UNITS * PREVIEW_SOURCE_FACTOR;
  const source = markdown.length > enough ? markdown.slice(0, enough) : markdown;
  return encodeMarkdown(closeOpenMarks(source))[0];
};
