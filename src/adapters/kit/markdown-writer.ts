/** Text under construction: indentation, line ends and the ranges that are styled. */

export type SpanStyle =
  | { readonly style: 'strong' | 'emphasis' | 'strike' | 'spoiler' | 'quote' | 'code' }
  | { readonly style: 'code-block'; readonly language?: string }
  | { readonly style: 'link'; readonly url: string };

/** A range of UTF-16 units, `end` exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export type StyledSpan = SpanStyle & TextRange;

export interface StyledText {
  readonly text: string;
  /** Nested properly, none empty; by start, the outer one first. */
  readonly spans: readonly StyledSpan[];
  /** Where top-level blocks start, ascending; a block that follows its heading is not listed. */
  readonly blockStarts: readonly number[];
}

type OpenSpan = SpanStyle & { readonly start: number; end: number };

/**
 * Collected in parts: looking at the end of one growing string would copy all of it each time.
 */
export class Writer {
  readonly parts: string[] = [];
  length = 0;
  /** Written before the first text of each line. */
  indent = '';
  /** How many line ends the text ends with; a text not begun counts as one. */
  lineEnds = 1;
  readonly spans: OpenSpan[] = [];
  readonly blockStarts: number[] = [];

  finish(): StyledText {
    return {
      text: this.parts.join(''),
      spans: this.spans.filter((it) => it.end > it.start),
      blockStarts: this.blockStarts,
    };
  }
}

export function write(out: Writer, text: string): void {
  if (text === '') return;
  if (out.lineEnds > 0) append(out, out.indent);
  append(out, text);
  out.lineEnds = 0;
}

function append(out: Writer, text: string): void {
  out.parts.push(text);
  out.length += text.length;
}

export function endLine(out: Writer): void {
  append(out, '\n');
  out.lineEnds += 1;
}

/** Ends the line unless just ended, and leaves one blank line if `spaced`. Does nothing at the very start. */
export function separate(out: Writer, spaced: boolean): void {
  if (out.length === 0) return;
  while (out.lineEnds < (spaced ? 2 : 1)) endLine(out);
}

export function startBlock(out: Writer): void {
  out.blockStarts.push(out.length);
}

/** The indentation of a line stays outside a span that starts the line. */
export function openSpan(out: Writer, style: SpanStyle): OpenSpan {
  if (out.lineEnds > 0 && out.indent !== '') {
    append(out, out.indent);
    out.lineEnds = 0;
  }
  const span = { ...style, start: out.length, end: out.length };
  out.spans.push(span);
  return span;
}

export function closeSpan(out: Writer, span: OpenSpan): void {
  span.end = out.length;
}
