/**
 * Searches the workspace with ripgrep.
 * 1. It begins where the path really leads and follows no links, so it stays inside.
 * 2. What it finds in secrets is taken out by the same rule that closes them for reading, before anything is counted.
 * 3. Time, output and the length of a line are limited, so that no tree and no file is too big.
 * 4. Ignore files outside the workspace do not count: a home kept in version control may ignore everything.
 */
import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import type { ProcessPort, ProcessResult } from '../core/process.js';
import type { Found, SearchAnswer, SearchRequest, WorkspaceSearch } from '../core/search.js';
import { isLinkToSecret } from './opened-file.js';
import { readCounts, readLines, readPaths } from './search-output.js';
import { isSecretPath } from './secret-paths.js';
import {
  createLocator,
  type Located,
  outside,
  type Places,
  refuse,
  telling,
  type WorkspaceRoots,
} from './workspace-places.js';

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Longer lines are shown by their beginning. */
const MAX_LINE_BYTES = 500;

export interface WorkspaceSearchOptions extends WorkspaceRoots {
  readonly processes: ProcessPort;
  /** The path of ripgrep's program; rejects where it is not installed. Default: the one of its package. */
  readonly loadProgram?: () => Promise<string>;
}

const common = [
  '--no-config',
  '--color=never',
  '--no-messages',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--sort=path',
  '--null',
];

/** A glob for every file is none: ripgrep would let it open hidden and ignored folders too. */
const isForAll = (glob: string): boolean => /^[*/]+$/u.test(glob);

/** A plain word stands for every name that has it. */
const toNameGlob = (pattern: string): string => (/[*?[\]{}/]/u.test(pattern) ? pattern : `*${pattern}*`);

const globOptions = (glob: string | undefined, { withIgnored }: SearchRequest): readonly string[] => [
  ...(glob === undefined || isForAll(glob) ? [] : [`--iglob=${glob}`]),
  ...(withIgnored ? ['--hidden', '--no-ignore'] : []),
  // Behind the other glob, so that it beats it.
  '--iglob=!.git',
];

const caseOption = ({ isCaseSensitive }: SearchRequest): string => {
  if (isCaseSensitive === undefined) return '--smart-case';
  return isCaseSensitive ? '--case-sensitive' : '--ignore-case';
};

const outputOptions = ({ give, contextLines }: SearchRequest): readonly string[] => {
  switch (give) {
    case 'lines':
      return [
        '--line-number',
        '--column',
        '--no-heading',
        '--no-context-separator',
        `--context=${contextLines}`,
        `--max-columns=${MAX_LINE_BYTES}`,
        '--max-columns-preview',
      ];
    case 'files':
      return ['--files-with-matches'];
    case 'counts':
      return ['--count'];
  }
};

const argumentsOf = (request: SearchRequest, encoding: string): readonly string[] => {
  const { pattern, glob } = request;
  if (request.target === 'names') return [...common, '--files', ...globOptions(toNameGlob(pattern), request)];
  return [
    ...common,
    '--with-filename',
    // The second engine is taken for what the first cannot do, such as looking ahead.
    '--engine=auto',
    `--encoding=${encoding}`,
    caseOption(request),
    ...globOptions(glob, request),
    ...outputOptions(request),
    `--regexp=${pattern}`,
  ];
};

const readOutput = ({ target, give }: SearchRequest, output: Uint8Array): readonly Found[] => {
  if (target === 'names' || give === 'files') return readPaths(output);
  return give === 'counts' ? readCounts(output) : readLines(output);
};

const isResult = ({ kind }: Found): boolean => kind !== 'context';

/** Results of the window, each with the context before it, the last one also with what follows. */
const windowOf = (all: readonly Found[], { offset, limit }: SearchRequest): readonly Found[] => {
  const places = all.flatMap((found, index) => (isResult(found) ? [index] : []));
  const before = offset === 0 ? -1 : (places[offset - 1] ?? all.length);
  return all.slice(before + 1, places[offset + limit] ?? all.length);
};

const complaintOf = ({ target, pattern, glob }: SearchRequest, stderr: string): ToolError => {
  const isGlob = /error parsing glob/u.test(stderr);
  const reason =
    /error parsing glob .*?: (.+)/u.exec(stderr)?.[1] ??
    /^error: (.+)$/mu.exec(stderr)?.[1] ??
    /PCRE2: error compiling pattern at offset \d+: (.+)/u.exec(stderr)?.[1] ??
    stderr.replace(/^rg: /u, '').trim().split('\n')[0] ??
    'no reason given';
  if (isGlob)
    return refuse(
      'invalid-input',
      `'${target === 'names' ? pattern : glob}' is no valid glob: ${reason}. Nothing was searched. Globs look like *.md or src/**/*.ts.`,
    );
  return refuse(
    'invalid-input',
    `'${pattern}' is no valid regular expression: ${reason}. Nothing was searched. ` +
      'Put a backslash before each of . ( ) [ ] { } * + ? | ^ $ that is meant as the character itself.',
  );
};

/** No program takes one. */
const assertNoZero = ({ pattern, glob = '' }: SearchRequest): void => {
  if (`${pattern}${glob}`.includes('\0'))
    throw refuse('invalid-input', 'A pattern cannot contain a zero byte. Nothing was searched.');
};

/** Silently finds nothing otherwise. That a character is not a line break is always true and does no harm. */
const assertOneLine = ({ target, pattern }: SearchRequest): void => {
  const wanted = pattern.replace(/\[\^[^\]]*\]/gu, '');
  if (target === 'names' || !/\n|(?<!\\)(?:\\\\)*\\n/u.test(wanted)) return;
  throw refuse(
    'invalid-input',
    'A pattern cannot reach over a line break: lines are searched one by one. Nothing was searched. ' +
      'Search for one of its lines, with context.',
  );
};

const missingProgram = (cause: unknown): ToolError =>
  new ToolError({
    code: 'failed',
    message:
      `Files cannot be searched on this host: ripgrep is not installed for ${process.platform}-${process.arch}. ` +
      'Tell the user that `npm install` with optional packages mends it; files can still be read by their path.',
    retry: never,
    cause,
  });

const loadPackaged = async (): Promise<string> => (await import('./ripgrep-program.js')).rgPath;

const assertSearchable = async (path: string, { real, isInWorkspace }: Located): Promise<void> => {
  const kind = await lstat(real);
  if (!isInWorkspace && !kind.isFile()) throw outside(path);
  if (!kind.isFile() && !kind.isDirectory())
    throw refuse('invalid-input', `'${path}' is neither a folder nor a regular file.`);
};

const stops: Readonly<Partial<Record<ProcessResult['ending'], NonNullable<SearchAnswer['stoppedBy']>>>> = {
  'timed-out': 'time',
  'too-much-output': 'size',
};

export const createWorkspaceSearch = (options: WorkspaceSearchOptions): WorkspaceSearch => {
  const { processes, loadProgram = loadPackaged } = options;
  const locate = createLocator(options);

  const runProgram = async (
    request: SearchRequest,
    { real, places, encoding, signal }: Located & { readonly encoding: string; readonly signal: AbortSignal },
  ) => {
    const command = await loadProgram().catch((error: unknown) => {
      throw missingProgram(error);
    });
    const start = `./${relative(places.root, real)}`;
    const args = [...argumentsOf(request, encoding), '--', start];
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    const result = await processes.run({ command, args, cwd: places.root, ...limits }, { signal });
    const stderr = new TextDecoder().decode(result.stderr).trim();
    if (stderr !== '' && result.stdout.length === 0) throw complaintOf(request, stderr);
    const stoppedBy = stops[result.ending];
    return { all: readOutput(request, result.stdout), ...(stoppedBy !== undefined && { stoppedBy }) };
  };

  const search = async (
    path: string,
    request: SearchRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<SearchAnswer> => {
    assertNoZero(request);
    assertOneLine(request);
    const located = await locate(path);
    await assertSearchable(path, located);
    const { places, isInWorkspace } = located;
    let result = await runProgram(request, { ...located, encoding: 'auto', signal });
    const isWord = request.target === 'content' && /[^\p{ASCII}]/u.test(request.pattern);
    // Nothing found in Unicode: the words may stand in a file of the usual Chinese encoding.
    if (isWord && result.all.length === 0 && result.stoppedBy === undefined)
      result = await runProgram(request, { ...located, encoding: 'gb18030', signal });
    const open = result.all.filter((found) => !isSecretPath(join(places.root, found.path), places));
    const found = await withoutLinks(windowOf(open, request), places);
    const { stoppedBy } = result;
    return {
      ...(stoppedBy !== undefined && { stoppedBy }),
      found: isInWorkspace ? found : found.map((one) => ({ ...one, path })),
      total: open.filter(isResult).length,
    };
  };

  const told = telling(search);
  return { search: (request, { signal }) => told(request.path, request, { signal }) };
};

/** A hard link gives a secret of the home another name. */
const withoutLinks = async (found: readonly Found[], places: Places): Promise<readonly Found[]> => {
  const paths = [...new Set(found.map(({ path }) => path))];
  const judged = await Promise.all(
    paths.map(async (path) => {
      const stats = await lstat(join(places.root, path)).catch(() => undefined);
      return stats?.isFile() === true && !(await isLinkToSecret(stats, places.home)) ? path : undefined;
    }),
  );
  const open = new Set(judged);
  return found.filter(({ path }) => open.has(path));
};
