/**
 * Files of the workspace as tools see them.
 * 1. A path is judged by where it really leads, so no link and no `..` leads out.
 * 2. The file opened is the file judged: after opening, the descriptor itself is asked where it leads, so that nothing
 *    can be swapped in between.
 * 3. Opening never waits and never does anything: only regular files are opened, without blocking (a named pipe would
 *    hang the turn).
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import type { WorkspaceFiles } from '../core/tool.js';
import { isLinkToSecret, realOrSame, whereIs } from './opened-file.js';
import { isInside, isSecretPath } from './secret-paths.js';

interface WorkspaceRoots {
  readonly workspace: string;
  /** Its settings, database and keys stay closed also where the workspace contains them. */
  readonly home: string;
  /**
   * Further folders of which single files may be read by their absolute path. They are not listed: their names are all
   * that keeps one conversation's files from another.
   */
  readonly readable?: readonly string[];
}

interface Places {
  readonly home: string;
  readonly root: string;
}

const refuse = (code: ToolError['code'], message: string, cause?: unknown): ToolError =>
  new ToolError({ code, message, retry: never, ...(cause !== undefined && { cause }) });

const outside = (path: string): ToolError =>
  refuse('not-allowed', `'${path}' is outside the workspace. Give a path inside it, relative to it.`);

const secret = (path: string): ToolError =>
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

const check = async (path: string, handle: FileHandle, real: string, places: Places): Promise<Stats> => {
  const stats = await handle.stat();
  if (!stats.isFile()) throw refuse('invalid-input', `'${path}' is not a regular file.`);
  const where = await whereIs(handle, real, stats);
  if (where === undefined || !isInside(where, places.root)) throw outside(path);
  if (isSecretPath(where, places) || (await isLinkToSecret(stats, places.home))) throw secret(path);
  return stats;
};

const readUpTo = async (handle: FileHandle, maxBytes: number, sizeBytes: number): Promise<Uint8Array> => {
  const bytes = Buffer.alloc(Math.min(maxBytes, sizeBytes));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
};

export const createWorkspaceFiles = ({ workspace, home, readable = [] }: WorkspaceRoots): WorkspaceFiles => {
  /** Judges the path before anything is opened. */
  const locate = async (
    path: string,
    folder: string = workspace,
  ): Promise<{ readonly real: string; readonly places: Places }> => {
    if (path.includes('\0')) throw refuse('invalid-input', 'A path cannot contain a zero byte.');
    const places = { root: await realpath(folder), home: await realOrSame(home) };
    const asked = resolve(folder, path);
    if (!isInside(asked, folder) && !isInside(asked, places.root)) throw outside(path);
    const real = await realpath(asked);
    if (!isInside(real, places.root)) throw outside(path);
    if (isSecretPath(real, places)) throw secret(path);
    return { real, places };
  };

  const read: WorkspaceFiles['read'] = async (path, { maxBytes }) => {
    const further = readable.find((folder) => isAbsolute(path) && isInside(resolve(path), folder));
    const { real, places } = await locate(path, further);
    const kind = await lstat(real);
    if (kind.isDirectory()) throw refuse('invalid-input', `'${path}' is a folder, not a file.`);
    if (!kind.isFile()) throw refuse('invalid-input', `'${path}' is not a regular file.`);
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
    const handle = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    try {
      const { size } = await check(path, handle, real, places);
      return { bytes: await readUpTo(handle, maxBytes, size), sizeBytes: size };
    } finally {
      await handle.close();
    }
  };

  const list: WorkspaceFiles['list'] = async (path) => {
    const { real, places } = await locate(path);
    const entries = await readdir(real, { withFileTypes: true });
    return entries
      .filter((entry) => !isSecretPath(join(real, entry.name), places))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .toSorted();
  };

  const telling =
    <Args extends readonly [string, ...unknown[]], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await act(...args);
      } catch (error) {
        throw toToolError(args[0], error);
      }
    };
  return { read: telling(read), list: telling(list) };
};
