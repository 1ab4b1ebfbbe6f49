/**
 * Keeps media tags out of a text that is still being written.
 * 1. What was passed on is never taken back: what could become a tag is held until it is clear what it is.
 * 2. Nothing else is held: a few characters at most, or the unfinished line from a tag on.
 */
import { codeMask, LineKinds } from './code-regions.js';
import { scanLine } from './scan-line.js';
import { isEmptyBlock, tidyLine } from './tidy-line.js';

const tag = /media:|\[\[(?:audio_as_voice|as_document)\]\]/giu;
/** What follows a tag word that is one: a quote, a path, an address. */
const targetStart = /^[ \t]*(?:[*_]{1,3}[ \t]*)?(?:["'`/~]|[a-z][a-z0-9+.-]{0,20}:)/iu;
/** What may yet become that. */
const unclear = /^[ \t]*(?:[*_]{1,3}[ \t]*)?(?:[a-z][a-z0-9+.-]{0,20})?$/iu;
/** Longer than a blank, emphasis and the name of an address's kind. */
const TARGET_WINDOW = 40;
const words = ['media:', '[[audio_as_voice]]', '[[as_document]]'] as const;
/** Longer than any tag word: what comes before cannot belong to one that is not complete yet. */
const WINDOW = 24;

/** How much of the end could be the begin of a tag, with the brackets, emphasis and blanks that would go with it. */
const heldLength = (line: string): number => {
  const end = line.slice(-WINDOW).toLowerCase();
  let held = 0;
  for (const word of words)
    for (let size = Math.min(word.length - 1, end.length); size > held; size -= 1)
      if (end.endsWith(word.slice(0, size))) held = size;
  let from = line.length - held;
  while (from > 0 && ' \t*_"\'([{（【「„“'.includes(line.charAt(from - 1))) from -= 1;
  return line.length - from;
};

export class DirectiveFilter {
  readonly #kinds = new LineKinds();
  /** Of the current line: what was passed on, and what was not. */
  #shown: string[] = [];
  #held = '';
  /** Up to here the held text has no tag. */
  #clearTo = 0;

  /** The part of the text so far that can be shown now and could not be before. */
  push(text: string): string {
    const [first = '', ...others] = text.split('\n');
    let visible = '';
    this.#held += first;
    for (const next of others) {
      visible += this.#endLine();
      this.#held = next;
    }
    return visible + this.#showPart();
  }

  /** Where the first tag of the held text begins, or what may become one; its length if there is none. */
  #tagStart(): number {
    const held = this.#held;
    tag.lastIndex = this.#clearTo;
    for (let match = tag.exec(held); match !== null; match = tag.exec(held)) {
      const end = match.index + match[0].length;
      const lastShown = match.index === 0 ? (this.#shown.at(-1) ?? '') : held.slice(0, match.index);
      const isInWord = /[\p{L}\p{N}]$/u.test(lastShown.slice(-2));
      const behind = held.slice(end, end + TARGET_WINDOW);
      const isTag =
        match[0].startsWith('[') || (!isInWord && (targetStart.test(behind) || unclear.test(behind)));
      if (isTag) return match.index;
      this.#clearTo = end;
    }
    this.#clearTo = Math.max(this.#clearTo, held.length - WINDOW);
    return held.length;
  }

  /** The line is not over: shows what is before a tag, or all but what could become one. */
  #showPart(): string {
    const before = this.#held.slice(0, this.#tagStart());
    const visible = before.slice(0, before.length - heldLength(before));
    if (visible === '' || (this.#shown.length === 0 && isEmptyBlock(visible))) return '';
    this.#shown.push(visible);
    this.#held = this.#held.slice(visible.length);
    this.#clearTo = Math.max(0, this.#clearTo - visible.length);
    return visible;
  }

  #endLine(): string {
    const shown = this.#shown.join('');
    const line = shown + this.#held;
    const isText = this.#kinds.next(line) === 'text';
    const kept = isText ? withoutTags(line) : line;
    this.#shown = [];
    this.#held = '';
    this.#clearTo = 0;
    if (kept === undefined) return shown === '' ? '' : '\n';
    return `${kept.startsWith(shown) ? kept.slice(shown.length) : ''}\n`;
  }
}

const withoutTags = (line: string): string | undefined => {
  tag.lastIndex = 0;
  if (!tag.test(line)) return line;
  const mask = codeMask(line);
  const { segments } = scanLine(line, (at) => mask[at] === 1);
  const pieces = [''];
  for (const segment of segments) {
    const text = segment.type === 'text' ? segment.text : '';
    if (segment.type !== 'text') pieces.push('');
    if (segment.type === 'directive')
      pieces.push(`${pieces.pop() ?? ''}${segment.raw.slice(segment.readings[0].length)}`);
    else pieces.push(`${pieces.pop() ?? ''}${text}`);
  }
  return pieces.length === 1 ? line : tidyLine(pieces);
};
