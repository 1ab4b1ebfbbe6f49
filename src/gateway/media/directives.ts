/**
 * The media tags of an answer, and the answer without them.
 * 1. What is code or quotation is text: an example must never send a file.
 * 2. A tag that is carried out or fails disappears from the text; one that is no tag stays, byte for byte.
 * 3. Linear in the text, whatever a model writes; `exists` is asked at most twenty times for a tag.
 */
import { beginsBlock, codeMask, type LineKind, LineKinds } from './code-regions.js';
import { type DirectiveSource, type LineSegment, scanLine } from './scan-line.js';
import { tidyLine } from './tidy-line.js';

export interface ParsedAnswer {
  /** Without tags and flags; the very same text if there are none. */
  readonly text: string;
  readonly sources: readonly DirectiveSource[];
  readonly asVoice: boolean;
  readonly asDocument: boolean;
  /** Tags in code or quotations, which were left alone. */
  readonly leftAlone: number;
}

interface ParseOptions {
  /** Whether a file is there and may be sent; decides where a path with spaces or an odd name ends. Never rejects. */
  exists(path: string): Promise<boolean>;
}

interface Block {
  readonly kind: LineKind;
  readonly lines: readonly string[];
}

const toBlocks = (text: string): readonly Block[] => {
  const kinds = new LineKinds();
  const blocks: { kind: LineKind; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const kind = kinds.next(line);
    const last = blocks.at(-1);
    if (last?.kind === kind && !(kind === 'text' && beginsBlock(line))) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks;
};

const anyTag = /media:|\[\[(?:audio_as_voice|as_document)\]\]/iu;

/** Collects the lines of the new text; a line that a tag leaves empty becomes a blank one, never two. */
class Lines {
  readonly #lines: string[] = [];
  #isJustEmptied = false;

  add(line: string): void {
    if (this.#isJustEmptied && line.trim() === '') return;
    this.#isJustEmptied = false;
    this.#lines.push(line);
  }

  addEmptied(wasListItem: boolean): void {
    if (wasListItem || (this.#lines.at(-1) ?? '').trim() === '') {
      this.#isJustEmptied = (this.#lines.at(-1) ?? '').trim() === '';
      return;
    }
    this.#lines.push('');
    this.#isJustEmptied = true;
  }

  get text(): string {
    return this.#lines
      .join('\n')
      .replace(/^\s*\n/u, '')
      .trimEnd();
  }
}

interface Found {
  readonly sources: DirectiveSource[];
  readonly flags: Set<string>;
  leftAlone: number;
}

/** The text around the tags of one line; undefined if it has none. */
const takeOut = async (
  segments: readonly LineSegment[],
  found: Found,
  { exists }: ParseOptions,
): Promise<readonly string[] | undefined> => {
  const pieces = [''];
  const addText = (text: string): void => {
    pieces.push(`${pieces.pop() ?? ''}${text}`);
  };
  for (const segment of segments) {
    if (segment.type === 'text') {
      addText(segment.text);
      continue;
    }
    pieces.push('');
    if (segment.type === 'flag') {
      found.flags.add(segment.flag);
      continue;
    }
    const { readings, raw } = segment;
    let [chosen] = readings;
    for (const reading of readings.length > 1 ? readings : []) {
      if (reading.source.type !== 'path' || !(await exists(reading.source.path))) continue;
      chosen = reading;
      break;
    }
    found.sources.push(chosen.source);
    addText(raw.slice(chosen.length));
  }
  return pieces.length === 1 ? undefined : pieces;
};

export const parseDirectives = async (markdown: string, options: ParseOptions): Promise<ParsedAnswer> => {
  const found: Found = { sources: [], flags: new Set(), leftAlone: 0 };
  const lines = new Lines();
  let isChanged = false;
  for (const block of anyTag.test(markdown) ? toBlocks(markdown) : []) {
    if (block.kind !== 'text') {
      for (const line of block.lines) {
        if (/media:\s*["'`]?[/~]/iu.test(line)) found.leftAlone += 1;
        lines.add(line);
      }
      continue;
    }
    const mask = codeMask(block.lines.join('\n'));
    let offset = 0;
    for (const line of block.lines) {
      const start = offset;
      offset += line.length + 1;
      if (!anyTag.test(line)) {
        lines.add(line);
        continue;
      }
      const { segments, leftAlone } = scanLine(line, (at) => mask[start + at] === 1);
      found.leftAlone += leftAlone;
      const pieces = await takeOut(segments, found, options);
      const kept = pieces === undefined ? line : tidyLine(pieces);
      isChanged ||= pieces !== undefined;
      if (kept === undefined) lines.addEmptied(beginsBlock(line));
      else lines.add(kept);
    }
  }
  return {
    text: isChanged ? lines.text : markdown,
    sources: found.sources,
    asVoice: found.flags.has('as-voice'),
    asDocument: found.flags.has('as-document'),
    leftAlone: found.leftAlone,
  };
};
