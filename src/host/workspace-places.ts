/** Where a path leads, judged before anything is opened, and the words for those that lead to the wrong place. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import { realOrSame } from './opened-file.js';
import { isInside, isSecretPath } from './secret-paths.js';

export interface WorkspaceRoots {
  /** A function: which one it is now, asked at every call. */
  readonly workspace: string | (() => string);
  /** Its settings, database and keys stay closed also where the workspace contains them. */
  readonly home: string;
  /**
   * Further folders of which single files may be read by their absolute path. They are not listed: their names are all
   * that keeps one conversation's files from another.
   */
  readonly readable?: readonly string[];
}

export interface Places {
  readonly home: string;
  readonly root: string;
}

export const refuse = (code: ToolError['code'], message: string, cause?: unknown): ToolError =>
  new ToolError({ code, message, retry: never, ...(cause !== undefined && { cause }) });

export const outside = (path: string): ToolError =>
  refuse('not-allowed', `'${path}' is outside the workspace. Give a path inside it, relative to it.`);

export const secret = (path: string): ToolError =>
  refuse(
    'not-allowed',
    `'${path}' may hold secrets, so it is never read. Ask the person for what you need of it.`,
  );

const toToolError = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !('code' in error) || error instanceof ToolError) return error;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return refuse('not-found', `There is no '${path}' in the workspace.`, error);
    case 'ELOOP':
      return refuse('not-allowed', `'${path}' is a link that leads nowhere.`, error);
    case 'EACCES':
    case 'EPERM':
      return refuse('not-allowed', `The gateway has no permission to read '${path}'.`, error);
    case 'ENAMETOOLONG':
      return refuse('invalid-input', 'The path is too long.', error);
    default:
      return refuse('failed', `'${path}' cannot be read (${String(error.code)}).`, error);
  }
};

export interface Located {
  readonly real: string;
  readonly places: Places;
  /** False: it is a file of a further folder, which is opened by its whole path only. */
  readonly isInWorkspace: boolean;
}

/** Rejects with a ToolError, or with what the file system throws. */
export const createLocator =
  ({ workspace: given, home, readable = [] }: WorkspaceRoots) =>
  async (path: string): Promise<Located> => {
    const workspace = typeof given === 'function' ? given() : given;
    if (path.includes('\0')) throw refuse('invalid-input', 'A path cannot contain a zero byte.');
    const further = readable.find((one) => isAbsolute(path) && isInside(resolve(path), one));
    const folder = further ?? workspace;
    const places = { root: await realpath(folder), home: await realOrSame(home) };
    const asked = resolve(folder, path);
    if (!isInside(asked, folder) && !isInside(asked, places.root)) throw outside(path);
    const real = await realpath(asked);
    if (!isInside(real, places.root)) throw outside(path);
    if (isSecretPath(real, places)) throw secret(path);
    return { real, places, isInWorkspace: further === undefined };
  };

/** What `act` rejects with, in words about the path, which is its first argument. */
export const telling =
  <Args extends readonly [string, ...unknown[]], Result>(act: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await act(...args);
    } catch (error) {
      throw toToolError(args[0], error);
    }
  };
