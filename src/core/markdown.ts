/**
 * The tree that a model's Markdown is parsed into, small enough that a platform can switch over all of it.
 *
 * Invariants, kept by the parser:
 * 1. No text holds a newline, U+0000 or a lone surrogate; a line end is a `break`. (A platform that counts or
 *    cuts text never meets half a character.)
 * 2. Blocks and inlines nest less than 40 levels deep, whatever was typed. (Recursion over the tree is safe.)
 * 3. What is no Markdown is text as typed, raw HTML included. (Nothing the model wrote gets lost.)
 */

export type Inline = TextInline | MarkInline | CodeInline | LinkInline | BreakInline;

export interface TextInline {
  readonly type: 'text';
  readonly text: string;
}

export type MarkStyle = 'strong' | 'emphasis' | 'strike' | 'spoiler';

export interface MarkInline {
  readonly type: MarkStyle;
  readonly children: readonly Inline[];
}

export interface CodeInline {
  readonly type: 'code';
  readonly text: string;
}

export interface LinkInline {
  readonly type: 'link' | 'image';
  /** The address as typed, not checked in any way: it may be relative or of any scheme. */
  readonly url: string;
  /** The label; of an image, its alternative text. May be empty. */
  readonly children: readonly Inline[];
}

/** A line end, soft or hard: chat messages keep the author's lines. */
export interface BreakInline {
  readonly type: 'break';
}

interface BlockBase {
  /** Whether a blank line stood before the block in the source; false for the first block of its parent. */
  readonly spaced: boolean;
}

export type Block =
  | ParagraphBlock
  | HeadingBlock
  | ListBlock
  | QuoteBlock
  | CodeBlock
  | TableBlock
  | RuleBlock;

export interface ParagraphBlock extends BlockBase {
  readonly type: 'paragraph';
  readonly children: readonly Inline[];
}

export interface HeadingBlock extends BlockBase {
  readonly type: 'heading';
  /** 1 to 6. */
  readonly level: number;
  readonly children: readonly Inline[];
}

export interface ListBlock extends BlockBase {
  readonly type: 'list';
  readonly ordered: boolean;
  /** Number of the first item of an ordered list; 1 otherwise. */
  readonly start: number;
  readonly items: readonly ListItem[];
}

export interface ListItem extends BlockBase {
  /** Present on a task: whether it is done. */
  readonly checked?: boolean;
  readonly children: readonly Block[];
}

export interface QuoteBlock extends BlockBase {
  readonly type: 'quote';
  readonly children: readonly Block[];
}

export interface CodeBlock extends BlockBase {
  readonly type: 'code-block';
  /** The first word after the fence; empty if none. */
  readonly language: string;
  /** Lines joined by \n, without the last line end. */
  readonly text: string;
}

export type ColumnAlign = 'left' | 'center' | 'right';

export type TableCell = readonly Inline[];

export interface TableBlock extends BlockBase {
  readonly type: 'table';
  /** One per column; every row has as many cells. */
  readonly aligns: readonly ColumnAlign[];
  readonly header: readonly TableCell[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface RuleBlock extends BlockBase {
  readonly type: 'rule';
}
