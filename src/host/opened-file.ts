/** What is known of a file that is open: where it really lies, and whether it is a secret under another name. */
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

const sameFile = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino;

/** What a file's content is known by: another one once it was written to. */
export const toVersion = ({ ino, size, mtimeMs }: Stats): string => `${ino}:${size}:${mtimeMs}`;

/** Where an open file lies now. Linux knows; elsewhere the path must still lead to the very same file. */
export const whereIs = async (
  handle: FileHandle,
  path: string,
  stats: Stats,
): Promise<string | undefined> => {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const real = await realpath(path);
    return sameFile(await lstat(real), stats) ? real : undefined;
  }
};

/** A hard link gives a secret another name; the files that count are few, so they are compared. */
export const isLinkToSecret = async (stats: Stats, home: string): Promise<boolean> => {
  if (stats.nlink < 2) return false;
  const databases = ['state.db', 'gateway.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);
  const names = ['.env', 'config.yaml', ...databases];
  const found = await Promise.all(names.map((name) => lstat(join(home, name)).catch(() => undefined)));
  return found.some((one) => one !== undefined && sameFile(one, stats));
};

export const realOrSame = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
};
