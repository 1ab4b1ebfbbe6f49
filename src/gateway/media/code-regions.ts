/** Which parts of a Markdown text are code or quotation, line by line. Pure; linear in the text. */

export type LineKind = 'code' | 'quote' | 'blank' | 'text';

const fenceStart = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:(`{3,})[^`]*|(~{3,}).*)$/u;
const quoteStart = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?>/u;

/** Knows of each line in turn what it is part of. */
export class LineKinds {
  #fence = '';

  next(line: string): LineKind {
    if (this.#fence !== '') {
      const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/u.exec(line)?.[1];
      if (closing?.startsWith(this.#fence) === true) this.#fence = '';
      return 'code';
    }
    const [, ticks, tildes] = fenceStart.exec(line) ?? [];
    const fence = ticks ?? tildes;
    if (fence !== undefined) {
      this.#fence = fence;
      return 'code';
    }
    if (quoteStart.test(line)) return 'quote';
    return line.trim() === '' ? 'blank' : 'text';
  }
}

const tagBefore = /media:[ \t]*[*_]{0,3}[ \t]*$/iu;
const onlySeparator = /^[ \t]*(?:[,;&][ \t]*)?$/u;
/** Longer than any tag with its blanks. */
const TAG_WINDOW = 40;

/**
 * One byte a character: 1 inside inline code. Backticks right after a media tag quote its path and are no code, and so
 * are those of further paths right after that one.
 */
export const codeMask = (paragraph: string): Uint8Array => {
  const mask = new Uint8Array(paragraph.length);
  const runs = [...paragraph.matchAll(/`+/gu)].map(({ 0: ticks, index }) => ({
    at: index,
    size: ticks.length,
  }));
  const partner = partnersOf(runs.map(({ size }) => size));
  let pathEnd = -1;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    const close = runs[partner[index] ?? -1];
    if (run === undefined || close === undefined) continue;
    const before = paragraph.slice(Math.max(0, run.at - TAG_WINDOW), run.at);
    const isPath =
      tagBefore.test(before) ||
      (pathEnd >= run.at - TAG_WINDOW &&
        pathEnd >= 0 &&
        onlySeparator.test(paragraph.slice(pathEnd, run.at)));
    if (isPath) pathEnd = close.at + close.size;
    else mask.fill(1, run.at, close.at + close.size);
    index = partner[index] ?? index;
  }
  return mask;
};

/** For each run of backticks the next one of the same length, -1 if there is none. */
const partnersOf = (sizes: readonly number[]): readonly number[] => {
  const next = new Map<number, number>();
  const partners = new Array<number>(sizes.length).fill(-1);
  for (let index = sizes.length - 1; index >= 0; index -= 1) {
    const size = sizes[index] ?? 0;
    partners[index] = next.get(size) ?? -1;
    next.set(size, index);
  }
  return partners;
};

/** True for a line that begins a block of its own, so that inline code cannot reach into it from above. */
export const beginsBlock = (line: string): boolean =>
  /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)/u.test(line);
