/**
 * Files that may be sent.
 * 1. A path is judged by where it really leads, and only what is allowed is opened at all.
 * 2. The file opened is the file judged: the descriptor itself is asked once more where it leads.
 * 3. A refusal does not tell whether there is such a file.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import { isLinkToSecret, realOrSame, whereIs } from './opened-file.js';
import { isInside, isSecretPath } from './secret-paths.js';

/** The longest upload of any platform. */
const MAX_FILE_BYTES = 2 * 1_073_741_824;

export interface SourceFolders {
  readonly home: string;
  /** Folders from which files may be sent. */
  readonly allowed: readonly string[];
  /** Inside them, but not to be sent from. */
  readonly closed: string;
  /** What `~` stands for. */
  readonly userHome: string;
}

export interface OpenSource {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

export interface MediaSource {
  /** Opens for reading; the caller closes. Rejects with a ToolError in one sentence without the path. */
  open(path: string): Promise<OpenSource>;
  /** Where the path really leads; rejects like `open`. */
  judge(path: string): Promise<string>;
}

interface Allowed {
  readonly home: string;
  readonly closed: string;
  readonly roots: readonly string[];
}

const refuse = (code: ToolError['code'], message: string): ToolError =>
  new ToolError({ code, message, retry: never });
const refused = (): ToolError => refuse('not-allowed', 'it may not be sent from where it lies');
const missing = (): ToolError => refuse('not-found', 'there is no such file');

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const isSendable = (real: string, { home, closed, roots }: Allowed): boolean =>
  !isInside(real, closed) &&
  roots.some((root) => isInside(real, root) && real !== root && !isSecretPath(real, { home, root }));

/** Of a path that leads nowhere: whether it would be allowed, judged by the part of it that is there. */
const judgeMissing = async (path: string, allowed: Allowed): Promise<ToolError> => {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined && folder !== dirname(folder)) continue;
    const [next = ''] = relative(folder, path).split(sep);
    const isDanglingLink = await lstat(join(folder, next)).then(
      () => true,
      () => false,
    );
    const isWithin = real !== undefined && isSendable(join(real, relative(folder, path)), allowed);
    return isWithin && !isDanglingLink ? missing() : refused();
  }
};

const check = async (handle: FileHandle, real: string, allowed: Allowed): Promise<Stats> => {
  const stats = await handle.stat();
  const where = await whereIs(handle, real, stats);
  if (where === undefined || !isSendable(where, allowed)) throw refused();
  if (await isLinkToSecret(stats, allowed.home)) throw refused();
  if (!stats.isFile()) throw refuse('invalid-input', 'it is not a regular file');
  if (stats.size === 0) throw refuse('invalid-input', 'it is empty (0 bytes)');
  if (stats.size > MAX_FILE_BYTES) throw refuse('invalid-input', 'it is larger than 2 GB');
  return stats;
};

export const createMediaSource = (folders: SourceFolders): MediaSource => {
  const { userHome } = folders;
  const resolveAllowed = async (): Promise<Allowed> => ({
    home: await realOrSame(folders.home),
    closed: await realOrSame(folders.closed),
    roots: await Promise.all(folders.allowed.map(realOrSame)),
  });
  const toAbsolute = (path: string): string => {
    if (path.includes('\0')) throw refused();
    const expanded = /^~\//u.test(path) ? join(userHome, path.slice(1)) : path;
    if (!isAbsolute(expanded)) throw refuse('invalid-input', 'its path is not absolute');
    return resolve(expanded);
  };
  const locate = async (path: string): Promise<{ readonly real: string; readonly allowed: Allowed }> => {
    const asked = toAbsolute(path);
    const allowed = await resolveAllowed();
    let real: string;
    try {
      real = await realpath(asked);
    } catch (error) {
      throw isMissing(error) ? await judgeMissing(asked, allowed) : refused();
    }
    if (!isSendable(real, allowed)) throw refused();
    return { real, allowed };
  };
  const openAt = async (path: string): Promise<OpenSource & { readonly real: string }> => {
    const { real, allowed } = await locate(path);
    // Opening a device or a pipe can have an effect of its own.
    if (!(await lstat(real)).isFile()) throw refuse('invalid-input', 'it is not a regular file');
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
    const handle = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    try {
      const { size } = await check(handle, real, allowed);
      return { handle, real, sizeBytes: size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  const telling = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (isMissing(error)) throw missing();
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown trouble';
      throw refuse('failed', `it cannot be read (${code})`);
    }
  };
  return {
    open: (path) => telling(() => openAt(path)),
    judge: (path) =>
      telling(async () => {
        const { handle, real } = await openAt(path);
        await handle.close();
        return real;
      }),
  };
};
