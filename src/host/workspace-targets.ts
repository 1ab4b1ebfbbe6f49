/** Where a path of a file that may not be there yet leads, judged for writing, and the words where it must not lead. */
import { realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolError } from '../core/errors.js';
import type { Floor } from '../core/floor.js';
import { realOrSame } from './opened-file.js';
import { isInside, isSecretPath } from './secret-paths.js';
import { outside, type Places, refuse, type WorkspaceRoots } from './workspace-places.js';

export const neverWritten = (path: string): ToolError =>
  refuse(
    'not-allowed',
    `'${path}' may hold secrets or settings, so it is never written. Tell the person what they should write there.`,
  );

/** They would make a name look like another one, or break lists of names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const deceivingCharacters = /[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/u;

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Resolves links as far as the path exists; a link that leads nowhere is refused. */
const realAsFarAsItIs = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isSymbolicLink() === true)
      throw refuse('not-allowed', `'${path}' is a link that leads nowhere.`);
    return join(await realAsFarAsItIs(dirname(path)), basename(path));
  }
};

const workspaceOf = ({ workspace }: WorkspaceRoots): string =>
  typeof workspace === 'function' ? workspace() : workspace;

/** The same at once and without judgement, for what has to answer at once. */
export const locateNow = (path: string, roots: WorkspaceRoots): string => {
  const real = (one: string): string => {
    try {
      return realpathSync(one);
    } catch {
      return dirname(one) === one ? one : join(real(dirname(one)), basename(one));
    }
  };
  return real(resolve(workspaceOf(roots), path.replaceAll('\0', '')));
};

export const createTargetLocator =
  (roots: WorkspaceRoots, floor: Floor) =>
  async (path: string): Promise<{ readonly real: string; readonly places: Places }> => {
    if (deceivingCharacters.test(path))
      throw refuse(
        'invalid-input',
        'The path has characters that no file name should have (control or direction marks).',
      );
    const workspace = workspaceOf(roots);
    const places = { root: await realpath(workspace), home: await realOrSame(roots.home) };
    const asked = resolve(workspace, path);
    if (!isInside(asked, workspace) && !isInside(asked, places.root)) throw outside(path);
    const real = await realAsFarAsItIs(asked);
    if (!isInside(real, places.root)) throw outside(path);
    if (real === places.root || path.endsWith('/'))
      throw refuse('invalid-input', `'${path}' is a folder. Give the path of a file.`);
    if (isSecretPath(real, places)) throw neverWritten(path);
    const problem = floor.path(real, 'write');
    if (problem !== undefined) throw refuse('not-allowed', `${problem} Nothing was written.`);
    return { real, places };
  };

const toWords = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !('code' in error) || error instanceof ToolError) return error;
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('failed', `The disk is full: '${path}' is as it was. Tell the user.`, error);
    case 'ENOTDIR':
      return refuse('invalid-input', `A part of '${path}' is a file and no folder.`, error);
    case 'ELOOP':
      return refuse('not-allowed', `'${path}' leads over a link that leads nowhere.`, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse('not-allowed', `The gateway has no permission to write '${path}'.`, error);
    case 'ENAMETOOLONG':
      return refuse('invalid-input', 'The path, or a name in it, is too long.', error);
    default:
      return refuse('failed', `'${path}' cannot be written (${String(error.code)}). It is as it was.`, error);
  }
};

/** What `act` rejects with, in words about the path, which is its first argument. */
export const tellingOfWrites =
  <Args extends readonly [string, ...unknown[]], Result>(act: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await act(...args);
    } catch (error) {
      throw toWords(args[0], error);
    }
  };
