import * as z from 'zod';
import type { Found, SearchAnswer } from '../core/search.js';
import type { Tool, ToolOutcome } from '../core/tool.js';

const defaultLimit = 50;
const maxLimit = 500;
const maxContext = 10;
/** Of one answer; the rest is a further page. */
const maxLength = 50_000;

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .describe(
      'content: a regular expression, looked for in each line. files: a glob such as *.md, or part of a name.',
    ),
  target: z
    .enum(['content', 'files'])
    .optional()
    .describe('content (default): what stands in files. files: files by their name.'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Folder or file to search, inside the workspace. Default: all of it.'),
  file_glob: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('content: only files whose name fits, e.g. *.ts.'),
  output_mode: z
    .enum(['content', 'files_only', 'count'])
    .optional()
    .describe(
      'content (default): the lines. files_only: only in which files. count: how many lines in each file.',
    ),
  context: z
    .number()
    .int()
    .min(0)
    .max(maxContext)
    .optional()
    .describe(`Lines to show before and after each line found. Default 0, most ${maxContext}.`),
  case_sensitive: z
    .boolean()
    .optional()
    .describe('Default: capitals count only if the pattern has one. File names: never.'),
  include_ignored: z
    .boolean()
    .optional()
    .describe('true: also hidden files and what .gitignore leaves out. Default false.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(maxLimit)
    .optional()
    .describe(`Results at most. Default ${defaultLimit}, most ${maxLimit}.`),
  offset: z.number().int().min(0).optional().describe('Results to pass over, for the next page. Default 0.'),
});

type SearchFilesInput = z.infer<typeof input>;

export const searchFiles: Tool<SearchFilesInput> = {
  name: 'search_files',
  title: 'Search files',
  description:
    'Searches the files of the workspace: what stands in them (by regular expression), or their names (by glob). Use it ' +
    'to find where something is before reading. Returns paths relative to the workspace, with line numbers, and how to ' +
    'get more. Binary files are passed over.',
  category: 'read',
  input,
  mode: 'parallel',
  summarise: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  async execute(given, { services, signal }) {
    const answer = await services.search.search(toRequest(given), { signal });
    const text = answer.found.length === 0 ? describeNothing(given, answer) : describeFound(given, answer);
    return { text, isError: false } satisfies ToolOutcome;
  },
};

const gives = { content: 'lines', files_only: 'files', count: 'counts' } as const;

const toRequest = (given: SearchFilesInput) => ({
  target: given.target === 'files' ? ('names' as const) : ('content' as const),
  pattern: given.pattern,
  path: given.path ?? '.',
  ...(given.file_glob !== undefined && { glob: given.file_glob }),
  give: gives[given.output_mode ?? 'content'],
  contextLines: given.context ?? 0,
  ...(given.case_sensitive !== undefined && { isCaseSensitive: given.case_sensitive }),
  withIgnored: given.include_ignored === true,
  offset: given.offset ?? 0,
  limit: given.limit ?? defaultLimit,
});

const stopNotes = {
  time: 'The search took too long and was stopped before its end: name a folder, or a narrower file_glob.',
  size: 'There is more than can be looked through at once: use a narrower pattern, a folder, or a file_glob.',
};

const describeNothing = (given: SearchFilesInput, { total, stoppedBy }: SearchAnswer): string => {
  if (total > 0) return `There are only ${total} results, so none behind offset ${given.offset ?? 0}.`;
  const where = given.path === undefined ? 'the workspace' : given.path;
  const glob = given.file_glob === undefined ? '' : ` (only ${given.file_glob})`;
  const what = given.target === 'files' ? `No file is named like ${given.pattern}` : 'Nothing was found';
  const note =
    given.include_ignored === true
      ? ''
      : ' Hidden files and what .gitignore leaves out were not looked at; include_ignored: true does.';
  return `${what} in ${where}${glob}.${stoppedBy === undefined ? note : ` ${stopNotes[stoppedBy]}`}`;
};

/** As many whole results as fit. */
const describeFound = (given: SearchFilesInput, { found, total, stoppedBy }: SearchAnswer): string => {
  const lines: string[] = [];
  let length = 0;
  let shown = 0;
  let path = '';
  for (const one of found) {
    const added = [...(isOfLine(one) && one.path !== path ? [one.path] : []), describeOne(one)];
    length += added.join('\n').length + 1;
    if (length > maxLength && shown > 0) break;
    lines.push(...added);
    path = one.path;
    if (one.kind !== 'context') shown += 1;
  }
  const offset = given.offset ?? 0;
  const next = offset + shown;
  const isAll = next >= total;
  const atLeast = stoppedBy === undefined ? '' : 'at least ';
  const head = `${atLeast}${total} ${nameOf(found, total)}${isAll && offset === 0 ? '' : `, ${offset + 1} to ${next}`}:`;
  const notes = [
    ...(isAll ? [] : [`(${total - next} more; go on with offset ${next})`]),
    ...(stoppedBy === undefined ? [] : [`(${stopNotes[stoppedBy]})`]),
  ];
  return [head, ...lines, ...notes].join('\n');
};

const isOfLine = ({ kind }: Found): boolean => kind === 'line' || kind === 'context';

const nameOf = (found: readonly Found[], total: number): string => {
  const isLines = found.some(isOfLine);
  if (isLines) return total === 1 ? 'line' : 'lines';
  return total === 1 ? 'file' : 'files';
};

/** A cut line says where in it the find is, since that may lie behind the cut. */
const cutMark = / \[\.{3} (?:omitted end of long line|\d+ more match(?:es)?)\]$/u;

const describeOne = (one: Found): string => {
  switch (one.kind) {
    case 'line': {
      const text = one.text.replace(cutMark, ` [… long line; found at byte ${one.column}]`);
      return `${one.line}: ${text}`;
    }
    case 'context':
      return `${one.line}- ${one.text.replace(cutMark, ' [… long line]')}`;
    case 'file':
      return one.path;
    case 'count':
      return `${one.path}: ${one.count}`;
  }
};
