/** markdown-it's flat block tokens to the tree. Inline tokens are in `markdown-inline.ts`. */
import type { Token } from 'markdown-it';
import type { Block, ColumnAlign, Inline, ListItem, TableCell } from '../../core/markdown.js';
import { buildInlines, trimInlines } from './markdown-inline.js';

interface Cursor {
  readonly tokens: readonly Token[];
  readonly lines: readonly string[];
  /** Labels of reference definitions that some link uses: these definitions are not shown. */
  readonly usedLabels: ReadonlySet<unknown>;
  at: number;
}

export function buildBlocks(tokens: readonly Token[], lines: readonly string[]): readonly Block[] {
  return readBlocks({ tokens, lines, usedLabels: collectLabels(tokens), at: 0 });
}

function collectLabels(tokens: readonly Token[], found = new Set<unknown>()): ReadonlySet<unknown> {
  for (const token of tokens) {
    if (token.type !== 'definition' && token.meta?.['label'] !== undefined) found.add(token.meta['label']);
    if (token.children !== null) collectLabels(token.children, found);
  }
  return found;
}

/** Reads blocks up to the end of their parent, and past it. */
function readBlocks(cursor: Cursor): Block[] {
  const blocks: Block[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token === undefined || token.nesting < 0) return blocks;
    const spaced = blocks.length > 0 && isSpaced(cursor, token);
    blocks.push(...readBlock(cursor, token, spaced));
  }
}

function isSpaced(cursor: Cursor, token: Token): boolean {
  const line = token.map?.[0] ?? 0;
  return /^[\s>]*$/.test(cursor.lines[line - 1] ?? '');
}

function readBlock(cursor: Cursor, token: Token, spaced: boolean): Block[] {
  switch (token.type) {
    case 'paragraph_open':
      return nonEmpty({ type: 'paragraph', spaced, children: readInlineBody(cursor) });
    case 'heading_open':
      return readHeading(cursor, token, spaced);
    case 'bullet_list_open':
    case 'ordered_list_open':
      return [readList(cursor, token, spaced)];
    case 'blockquote_open':
      return [{ type: 'quote', spaced, children: readBlocks(cursor) }];
    case 'fence':
    case 'code_block':
      return [
        {
          type: 'code-block',
          spaced,
          language: toLanguage(token.info),
          text: token.content.replace(/\n$/, ''),
        },
      ];
    case 'table_open':
      return [readTable(cursor, spaced)];
    case 'hr':
      return [{ type: 'rule', spaced }];
    case 'definition':
      if (cursor.usedLabels.has(token.meta?.['label'])) return [];
      return [{ type: 'paragraph', spaced, children: [{ type: 'text', text: token.content }] }];
    default:
      return nonEmpty({ type: 'paragraph', spaced, children: [{ type: 'text', text: token.content }] });
  }
}

function nonEmpty(block: Block & { readonly children: readonly Inline[] }): Block[] {
  return block.children.length === 0 ? [] : [block];
}

/** Reads the inline token of a paragraph, heading or cell, and passes its closing token. */
function readInlineBody(cursor: Cursor): readonly Inline[] {
  const token = cursor.tokens[cursor.at];
  cursor.at += 2;
  return trimInlines(buildInlines(token?.children ?? []));
}

/**
 * Models write `---` under a paragraph when they mean a rule: underlined by dashes, only a single line is a
 * heading.
 */
function readHeading(cursor: Cursor, token: Token, spaced: boolean): Block[] {
  const children = readInlineBody(cursor);
  if (children.length === 0) return [];
  if (token.markup === '-' && children.some((it) => it.type === 'break')) {
    return [
      { type: 'paragraph', spaced, children },
      { type: 'rule', spaced: false },
    ];
  }
  return [{ type: 'heading', spaced, level: Number(token.tag.slice(1)), children }];
}

function readList(cursor: Cursor, open: Token, spaced: boolean): Block {
  const items: ListItem[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token === undefined || token.nesting < 0) break;
    items.push(toItem(readBlocks(cursor), items.length > 0 && isSpaced(cursor, token)));
  }
  const start = Number(open.attrGet('start') ?? 1);
  return { type: 'list', spaced, ordered: open.type === 'ordered_list_open', start, items };
}

const TASK = /^\[([ xX])\](?:[ \t]+|$)/;

function toItem(children: readonly Block[], spaced: boolean): ListItem {
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') return { spaced, children };
  const [text, ...others] = first.children;
  const task = text?.type === 'text' ? TASK.exec(text.text) : null;
  if (text?.type !== 'text' || task === null) return { spaced, children };
  const left = text.text.slice(task[0].length);
  const inlines = left === '' ? others : [{ ...text, text: left }, ...others];
  const body = inlines.length === 0 ? [] : [{ ...first, children: inlines }];
  return { spaced, checked: task[1] !== ' ', children: [...body, ...rest] };
}

function readTable(cursor: Cursor, spaced: boolean): Block {
  const rows: TableCell[][] = [];
  const aligns: ColumnAlign[] = [];
  let line = 0;
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token === undefined || token.type === 'table_close') {
      addExcess(rows, cursor.lines[line] ?? '', aligns.length);
      break;
    }
    if (token.type === 'tr_open') {
      addExcess(rows, cursor.lines[line] ?? '', aligns.length);
      line = token.map?.[0] ?? 0;
      rows.push([]);
    }
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    if (token.type === 'th_open') aligns.push(toAlign(token));
    rows.at(-1)?.push(readInlineBody(cursor).map(breakTag));
  }
  const [header = [], ...body] = rows;
  return { type: 'table', spaced, aligns, header, rows: body };
}

/** Cells beyond the last column, which the grammar drops: models forget to escape a `|` in a cell. */
function addExcess(rows: readonly TableCell[][], line: string, columns: number): void {
  const row = rows.at(-1);
  if (rows.length < 2 || row === undefined) return;
  const cells = line
    .replace(/^[\s>]+/, '')
    .trimEnd()
    .split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  const excess = cells.slice(columns).map((it) => it.trim());
  if (excess.at(-1) === '') excess.pop();
  if (excess.length === 0) return;
  const last = row[columns - 1] ?? [];
  row[columns - 1] = [...last, { type: 'text', text: ` | ${excess.join(' | ').replaceAll('\\|', '|')}` }];
}

/** Within a cell `<br>` is the only way to write a line end. */
function breakTag(inline: Inline): Inline {
  return inline.type === 'text' && /^<br ?\/?>$/i.test(inline.text) ? { type: 'break' } : inline;
}

function toAlign(token: Token): ColumnAlign {
  const style = String(token.attrGet('style') ?? '');
  if (style.endsWith('right')) return 'right';
  return style.endsWith('center') ? 'center' : 'left';
}

function toLanguage(info: string): string {
  return /^[^\s{}(),:;`]{1,64}/.exec(info.trim())?.[0] ?? '';
}
