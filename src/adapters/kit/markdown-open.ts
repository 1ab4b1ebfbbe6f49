/**
 * A reply that is still being written, made ready to be shown: what is open at its end is treated as closed
 * there. A guess, good enough for a preview that the finished reply replaces.
 */

/**
 * Closes bold, italic, strike, spoiler and inline code that the last paragraph leaves open, drops a marker or a
 * link's address of which only the beginning has come. A code block that is open needs nothing: it goes to the
 * end by the grammar.
 */
export function closeOpenMarks(markdown: string): string {
  const text = markdown.trimEnd();
  if (endsInFence(text)) return text.replace(/\n[ \t>]*[`~]{1,2}$/, '');
  const start = lastBlockStart(text);
  return text.slice(0, start) + closeInlines(dropOpenAddress(text.slice(start)));
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

function endsInFence(text: string): boolean {
  let open = '';
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = FENCE.exec(line) ?? [];
    if (open === '') open = fence.startsWith('`') && info.includes('`') ? '' : fence;
    else if (fence.startsWith(open) && info.trim() === '') open = '';
  }
  return open !== '';
}

const BLOCK_LINE = /^[ \t>]*(?:$|(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t])/;

/** Marks do not reach over a blank line, a heading or a list item's start. */
function lastBlockStart(text: string): number {
  let end = text.length;
  for (;;) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    if (start === 0 || BLOCK_LINE.test(text.slice(start, end))) return start;
    end = start - 1;
  }
}

/** `[label](https://exam` to its label. */
function dropOpenAddress(text: string): string {
  const middle = text.lastIndexOf('](');
  const open = middle < 0 ? -1 : text.lastIndexOf('[', middle);
  if (open < 0 || /[)\s]/.test(text.slice(middle))) return text;
  const start = text.charAt(open - 1) === '!' ? open - 1 : open;
  return text.slice(0, start) + text.slice(open + 1, middle);
}

const MARKER = /\\.|`+|\*{1,3}|_{1,3}|~~|\|\|/gs;

function closeInlines(text: string): string {
  const open: string[] = [];
  let end = text.length;
  MARKER.lastIndex = 0;
  for (let match = MARKER.exec(text); match !== null; match = MARKER.exec(text)) {
    const marker = match[0];
    const after = match.index + marker.length;
    if (marker.startsWith('\\')) continue;
    if (marker.startsWith('`')) {
      const close = text.indexOf(marker, after);
      if (close >= 0) MARKER.lastIndex = close + marker.length;
      else if (after === text.length) end = match.index;
      else return closeAll(text, text.length, [...open, marker]);
    } else if (open.includes(marker) && /\S/.test(text.charAt(match.index - 1))) {
      open.length = open.lastIndexOf(marker);
    } else if (after === text.length) {
      end = match.index;
    } else if (/\S/.test(text.charAt(after)) && !isWithinWord(text, match.index, marker)) {
      open.push(marker);
    }
  }
  return closeAll(text, end, open);
}

/** `2*3` and `snake_case` open nothing. */
function isWithinWord(text: string, at: number, marker: string): boolean {
  return (marker === '*' || marker.startsWith('_')) && /[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

function closeAll(text: string, end: number, open: readonly string[]): string {
  const kept = text.slice(0, end);
  return open.length === 0 ? kept : kept.trimEnd() + open.toReversed().join('');
}
