/** Patches as models write them: unified diffs, and the `*** Begin Patch` form. */

export interface HunkLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

export interface Hunk {
  readonly lines: readonly HunkLine[];
  /** A line that stands somewhere before the hunk. */
  readonly anchor?: string;
  /** Of the first line, counted from 1, as far as the patch knows. */
  readonly line?: number;
}

/** What becomes of one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly problem: string };

const isFileHead = (line: string): boolean => /^\*\*\* (?:Add|Update|Delete) File: /u.test(line);

export const parsePatch = (given: string): ParsedPatch => {
  const lines = given
    .replaceAll('\r\n', '\n')
    .replace(/^```\w*\n|\n```\s*$/gu, '')
    .split('\n');
  try {
    const files = lines.some(isFileHead) ? parseNamed(lines) : parseUnified(lines);
    if (files.length > 0) return { ok: true, files };
    return { ok: false, problem: `The patch names no file. ${forms}` };
  } catch (error) {
    if (error instanceof PatchProblem) return { ok: false, problem: `${error.message} ${forms}` };
    throw error;
  }
};

const forms =
  "Write a unified diff ('--- a/path', '+++ b/path', '@@ -1,3 +1,3 @@', then lines that begin with ' ', '-' or '+'), or '*** Begin Patch', '*** Update File: path', '@@', such lines, '*** End Patch'.";

class PatchProblem extends Error {}

/** Lines of a hunk; a line without a mark that is empty is an empty context line, as editors and models leave it. */
const toHunkLine = (line: string, number: number): HunkLine => {
  const mark = line.charAt(0);
  if (line === '') return { mark: ' ', text: '' };
  if (mark === ' ' || mark === '-' || mark === '+') return { mark, text: line.slice(1) };
  throw new PatchProblem(
    `Line ${number} of the patch ('${line.slice(0, 60)}') begins with none of ' ', '-', '+'.`,
  );
};

/** What editors leave at the end is no context. */
const withoutBlankEnd = (lines: readonly HunkLine[], raw: readonly string[]): readonly HunkLine[] => {
  let end = lines.length;
  while (end > 0 && raw[end - 1] === '') end -= 1;
  return lines.slice(0, end);
};

const noLineEnd = /^\\ No newline/u;

const toHunk = (raw: readonly string[], from: number, head: Omit<Hunk, 'lines'>): Hunk => {
  const kept = raw.filter((line) => !noLineEnd.test(line));
  const lines = withoutBlankEnd(
    kept.map((line, index) => toHunkLine(line, from + index + 1)),
    kept,
  );
  if (lines.every(({ mark }) => mark === ' '))
    throw new PatchProblem(`The hunk at line ${from + 1} of the patch changes nothing.`);
  return { lines, ...head };
};

/** Cuts lines where `isHead` is true; what stands before the first head is left out. */
const cutAt = (lines: readonly string[], isHead: (line: string, index: number) => boolean) => {
  const heads = lines.flatMap((line, index) => (isHead(line, index) ? [index] : []));
  return heads.map((start, rank) => ({
    head: lines[start] ?? '',
    start,
    body: lines.slice(start + 1, heads[rank + 1] ?? lines.length),
  }));
};

const parseNamed = (lines: readonly string[]): readonly FilePatch[] => {
  const end = lines.indexOf('*** End Patch');
  const inside = end === -1 ? lines : lines.slice(0, end);
  return cutAt(inside, isFileHead).map(({ head, start, body }) => {
    const [, kind = '', path = ''] = /^\*\*\* (Add|Update|Delete) File: (.*)$/u.exec(head) ?? [];
    if (kind === 'Delete') return { kind: 'delete', path: path.trim() };
    if (kind === 'Add') return { kind: 'add', path: path.trim(), content: addedText(body, start) };
    const move = /^\*\*\* Move to: (.*)$/u.exec(body[0] ?? '')?.[1];
    const rest = move === undefined ? body : body.slice(1);
    const offset = start + (move === undefined ? 1 : 2);
    const hunks = namedHunks(
      rest.filter((line) => line !== '*** End of File'),
      offset,
    );
    if (hunks.length === 0 && move === undefined)
      throw new PatchProblem(`The part for ${path.trim()} has no hunk.`);
    return { kind: 'update', path: path.trim(), hunks, ...(move !== undefined && { moveTo: move.trim() }) };
  });
};

const addedText = (body: readonly string[], start: number): string => {
  const lines = withoutBlankEnd(
    body.map((line, index) => toHunkLine(line, start + index + 2)),
    body,
  );
  if (lines.some(({ mark }) => mark !== '+'))
    throw new PatchProblem('Every line of a file that is added begins with +.');
  return lines.map(({ text }) => `${text}\n`).join('');
};

const namedHunks = (body: readonly string[], offset: number): readonly Hunk[] => {
  const marked =
    body[0]?.startsWith('@@') === true || body.every((line) => line.trim() === '') ? body : ['@@', ...body];
  const shift = marked === body ? 0 : -1;
  return cutAt(marked, (line) => line.startsWith('@@')).map(({ head, start, body: raw }) =>
    toHunk(raw, offset + shift + start + 1, readHead(head)),
  );
};

const readHead = (head: string): Omit<Hunk, 'lines'> => {
  const numbers = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/u.exec(head);
  if (numbers !== null) return { line: Number(numbers[1]) };
  const anchor = head
    .replace(/^@@\s*/u, '')
    .replace(/\s*@@$/u, '')
    .trim();
  return anchor === '' ? {} : { anchor };
};

const pathOf = (line: string): string =>
  line
    .slice(4)
    .replace(/\t.*$/u, '')
    .trim()
    .replace(/^[ab]\//u, '');

const parseUnified = (lines: readonly string[]): readonly FilePatch[] => {
  const isHead = (line: string, index: number): boolean =>
    line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
  return cutAt(lines, isHead).map(({ head, start, body }) => {
    const from = pathOf(head);
    const to = pathOf(body[0] ?? '');
    if (to === '/dev/null') return { kind: 'delete', path: from };
    const raw = body
      .slice(1)
      .filter((line) => !/^(?:diff --git |index [0-9a-f]|new file mode|deleted file mode)/u.test(line));
    const hunks = cutAt(raw, (line) => line.startsWith('@@')).map((part) =>
      toHunk(part.body, start + 2 + part.start + 1, readHead(part.head)),
    );
    if (hunks.length === 0) throw new PatchProblem(`The part for ${to} has no hunk.`);
    if (from !== '/dev/null')
      return { kind: 'update', path: from, hunks, ...(from !== to && { moveTo: to }) };
    const added = hunks.flatMap((hunk) => hunk.lines.filter(({ mark }) => mark === '+'));
    return { kind: 'add', path: to, content: added.map(({ text }) => `${text}\n`).join('') };
  });
};
