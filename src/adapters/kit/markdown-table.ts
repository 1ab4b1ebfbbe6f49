/** A table laid out in columns, for a monospaced font. */
import type { ColumnAlign, TableBlock, TableCell } from '../../core/markdown.js';
import { displayWidth } from './markdown-width.js';

const GAP = '  ';

interface Column {
  readonly align: ColumnAlign;
  readonly width: number;
}

/**
 * Lines of aligned cells under a dashed rule. Undefined if the lines would be wider than `maxColumns`: wrapped
 * on a narrow screen, they could not be read.
 */
export function layoutTable(
  table: TableBlock,
  toText: (cell: TableCell) => string,
  maxColumns: number,
): string | undefined {
  const rows = [table.header, ...table.rows].map((row) => row.map(toText));
  const columns = table.aligns.map((align, index): Column => {
    let width = 1;
    for (const row of rows) width = Math.max(width, displayWidth(row[index] ?? ''));
    return { align, width };
  });
  const total = columns.reduce((sum, it) => sum + it.width + GAP.length, -GAP.length);
  if (columns.length === 0 || total > maxColumns) return undefined;
  const rule = columns.map((it) => '-'.repeat(it.width)).join(GAP);
  const [header = '', ...body] = rows.map((row) => layoutRow(row, columns));
  return [header, rule, ...body].join('\n');
}

function layoutRow(row: readonly string[], columns: readonly Column[]): string {
  return columns
    .map((column, index) => pad(row[index] ?? '', column))
    .join(GAP)
    .trimEnd();
}

function pad(text: string, { align, width }: Column): string {
  const space = width - displayWidth(text);
  const left = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(space - left);
}
