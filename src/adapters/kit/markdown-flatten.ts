/**
 * The tree to one text with styled ranges: the layout that all chat platforms share (bullets, numbers,
 * indentation, blank lines, tables). A platform turns the ranges into its entities or marks, or ignores them.
 *
 * 1. Ranges nest properly and come in tree order: by start, the outer one first.
 * 2. A style is not opened within itself, and links do not nest.
 * 3. Code blocks and quotes stand at the line's start, without the indentation of a list around them.
 */

import type { Block, Inline, LinkInline, ListItem, MarkStyle, TableBlock } from '../../core/markdown.js';
import { layoutTable } from './markdown-table.js';
import {
  closeSpan,
  endLine,
  openSpan,
  type StyledText,
  separate,
  startBlock,
  Writer,
  write,
} from './markdown-writer.js';

export interface FlattenOptions {
  /** Whether the platform can hide this address behind a label. Where not, it is written after the label. */
  readonly canLink: (url: string) => boolean;
  /** Widest table laid out in columns, in display columns; a wider one becomes a list. Default 60, what a phone shows. */
  readonly tableColumns?: number;
  /** Columns between tab stops in code, for a platform that shows no tabs. Default: tabs stay. */
  readonly tabColumns?: number;
}

interface Flattening {
  readonly out: Writer;
  readonly options: FlattenOptions;
  readonly open: Set<MarkStyle | 'link' | 'quote'>;
}

export function flattenMarkdown(blocks: readonly Block[], options: FlattenOptions): StyledText {
  const out = new Writer();
  writeBlocks({ out, options, open: new Set() }, blocks, true);
  return out.finish();
}

/** Inlines on one line, as plain text: cells, and labels to compare with addresses. */
function inlineText(inlines: readonly Inline[], options: FlattenOptions): string {
  const out = new Writer();
  writeInlines({ out, options, open: new Set() }, inlines);
  return out.finish().text.replaceAll('\n', ' ');
}

function writeBlocks(flat: Flattening, blocks: readonly Block[], top: boolean): void {
  for (const [index, block] of blocks.entries()) {
    const afterHeading = blocks[index - 1]?.type === 'heading';
    if (index > 0) separate(flat.out, block.spaced || block.type === 'heading');
    if (top && !afterHeading) startBlock(flat.out);
    writeBlock(flat, block);
  }
}

function writeBlock(flat: Flattening, block: Block): void {
  const { out } = flat;
  switch (block.type) {
    case 'paragraph':
      writeInlines(flat, block.children);
      return;
    case 'heading':
      styled(flat, 'strong', () => writeInlines(flat, block.children));
      return;
    case 'list': {
      for (const [index, item] of block.items.entries()) {
        if (index > 0) separate(out, item.spaced);
        writeItem(flat, item, block.ordered ? `${block.start + index}. ` : '• ');
      }
      return;
    }
    case 'quote':
      writeQuote(flat, block.children);
      return;
    case 'code-block':
      writeCode(out, expandTabs(block.text, flat.options.tabColumns), block.language);
      return;
    case 'table':
      writeTable(flat, block);
      return;
    case 'rule':
      write(out, '———');
      return;
    default:
      block satisfies never;
  }
}

function writeItem(flat: Flattening, item: ListItem, bullet: string): void {
  const { out } = flat;
  let marker = bullet;
  if (item.checked !== undefined) marker = `${bullet === '• ' ? '' : bullet}${item.checked ? '☑' : '☐'} `;
  write(out, marker);
  const first = item.children[0]?.type;
  const outer = out.indent;
  out.indent = outer + (bullet === '• ' ? '  ' : '   ');
  if (first !== undefined && first !== 'paragraph' && first !== 'heading') endLine(out);
  writeBlocks(flat, item.children, false);
  out.indent = outer;
}

/** Chat platforms show one level of quoting; an inner quote keeps its sign. */
function writeQuote(flat: Flattening, children: readonly Block[]): void {
  const { out } = flat;
  const outer = out.indent;
  if (flat.open.has('quote')) {
    out.indent = `${outer}> `;
    writeBlocks(flat, children, false);
  } else {
    out.indent = '';
    styled(flat, 'quote', () => writeBlocks(flat, children, false));
  }
  out.indent = outer;
}

/** Blank lines around code are dropped: at the ends of a message they would be trimmed, elsewhere they only push. */
function writeCode(out: Writer, text: string, language: string): void {
  const code = text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
  if (code.trim() === '') return;
  const outer = out.indent;
  out.indent = '';
  const span = openSpan(out, language === '' ? { style: 'code-block' } : { style: 'code-block', language });
  write(out, code);
  closeSpan(out, span);
  out.indent = outer;
}

function expandTabs(code: string, columns: number | undefined): string {
  if (columns === undefined || !code.includes('\t')) return code;
  const lines = code.split('\n').map((line) => {
    let column = 0;
    return line.replace(/[^\t]+|\t/g, (part) => {
      const text = part === '\t' ? ' '.repeat(columns - (column % columns)) : part;
      column += text.length;
      return text;
    });
  });
  return lines.join('\n');
}

function writeTable(flat: Flattening, table: TableBlock): void {
  const { options, out } = flat;
  const toText = (cell: readonly Inline[]) => inlineText(cell, options);
  const hasLink = [table.header, ...table.rows].some((row) => row.some((cell) => cell.some(isLabelled)));
  const columns = hasLink ? undefined : layoutTable(table, toText, options.tableColumns ?? 60);
  if (columns !== undefined) {
    writeCode(out, columns, '');
    return;
  }
  const outer = out.indent;
  const names = table.header.map(toText);
  for (const [index, row] of table.rows.entries()) {
    if (index > 0) separate(out, false);
    write(out, '• ');
    out.indent = `${outer}  `;
    writeRow(flat, names, row);
    out.indent = outer;
  }
  if (table.rows.length === 0) write(out, names.join(' | '));
}

/** One line per column that has something to say, each with its column's name. */
function writeRow(flat: Flattening, names: readonly string[], row: readonly (readonly Inline[])[]): void {
  let first = true;
  for (const [index, cell] of row.entries()) {
    if (cell.length === 0) continue;
    if (!first) endLine(flat.out);
    first = false;
    const name = names[index] ?? '';
    if (name !== '') write(flat.out, `${name}: `);
    writeInlines(flat, cell);
  }
}

function isLabelled(inline: Inline): boolean {
  if (inline.type === 'text' || inline.type === 'break' || inline.type === 'code') return false;
  return inline.type === 'link' || inline.type === 'image' || inline.children.some(isLabelled);
}

function writeInlines(flat: Flattening, inlines: readonly Inline[]): void {
  const { out } = flat;
  for (const inline of inlines) {
    switch (inline.type) {
      case 'text':
        write(out, inline.text);
        break;
      case 'break':
        endLine(out);
        break;
      case 'code': {
        const span = openSpan(out, { style: 'code' });
        write(out, inline.text);
        closeSpan(out, span);
        break;
      }
      case 'link':
      case 'image':
        writeLink(flat, inline);
        break;
      default:
        styled(flat, inline.type, () => writeInlines(flat, inline.children));
    }
  }
}

function styled(flat: Flattening, style: MarkStyle | 'quote', body: () => void): void {
  if (flat.open.has(style)) {
    body();
    return;
  }
  flat.open.add(style);
  const span = openSpan(flat.out, { style });
  body();
  closeSpan(flat.out, span);
  flat.open.delete(style);
}

function writeLink(flat: Flattening, link: LinkInline): void {
  const { out, options, open } = flat;
  if (open.has('link')) {
    writeInlines(flat, link.children);
    return;
  }
  open.add('link');
  const address = link.url.replace(/^mailto:/i, '').replaceAll('\n', ' ');
  const span = options.canLink(link.url) ? openSpan(out, { style: 'link', url: link.url }) : undefined;
  const start = out.parts.length;
  writeInlines(flat, link.children);
  const label = out.parts.slice(start).join('').trim();
  if (label === '') write(out, /^data:/i.test(address) ? 'image' : address);
  if (span !== undefined) closeSpan(out, span);
  else if (label !== '' && label !== address && label !== link.url && isUseful(address))
    write(out, ` (${address})`);
  open.delete('link');
}

/** Addresses within the page and embedded data mean nothing to who reads the message. */
function isUseful(address: string): boolean {
  return address !== '' && !/^(?:#|data:)/i.test(address);
}
