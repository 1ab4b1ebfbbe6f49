/**
 * Files of the workspace as tools see them.
 * 1. A path is judged by where it really leads, so no link and no `..` leads out.
 * 2. The file opened is the file judged: after opening, the descriptor itself is asked where it leads, so that nothing
 *    can be swapped in between.
 * 3. Opening never waits and never does anything: only regular files are opened, without blocking (a named pipe would
 *    hang the turn).
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceFiles } from '../core/tool.js';
import { isLinkToSecret, toVersion, whereIs } from './opened-file.js';
import { isInside, isSecretPath } from './secret-paths.js';
import {
  createLocator,
  outside,
  type Places,
  refuse,
  secret,
  telling,
  type WorkspaceRoots,
} from './workspace-places.js';

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

export const createWorkspaceFiles = (roots: WorkspaceRoots): WorkspaceFiles => {
  const locate = createLocator(roots);

  const read: WorkspaceFiles['read'] = async (path, { maxBytes }) => {
    const { real, places } = await locate(path);
    const kind = await lstat(real);
    if (kind.isDirectory()) throw refuse('invalid-input', `'${path}' is a folder, not a file.`);
    if (!kind.isFile()) throw refuse('invalid-input', `'${path}' is not a regular file.`);
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;
    const handle = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    try {
      const stats = await check(path, handle, real, places);
      const bytes = await readUpTo(handle, maxBytes, stats.size);
      return { bytes, sizeBytes: stats.size, stamp: { path: real, version: toVersion(stats) } };
    } finally {
      await handle.close();
    }
  };

  const list: WorkspaceFiles['list'] = async (path) => {
    const { real, places, isInWorkspace } = await locate(path);
    if (!isInWorkspace) throw outside(path);
    const entries = await readdir(real, { withFileTypes: true });
    return entries
      .filter((entry) => !isSecretPath(join(real, entry.name), places))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .toSorted();
  };

  return { read: telling(read), list: telling(list) };
};
