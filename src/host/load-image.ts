import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import type { StoredFile } from '../core/parts.js';
import { whereIs } from './opened-file.js';
import { isInside } from './secret-paths.js';

/**
 * Reads files of our own folder for models that see. Undefined for what is gone, larger than allowed, no regular file, or
 * leads out of the folder: a stored path is only as good as what lies there now. Never rejects.
 */
export const createImageLoader =
  (folder: string) =>
  async (
    { path }: StoredFile,
    { maxBytes }: { readonly maxBytes: number },
  ): Promise<Uint8Array | undefined> => {
    try {
      const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      try {
        const stats = await handle.stat();
        const where = await whereIs(handle, path, stats);
        const isOurs = where !== undefined && isInside(where, await realpath(folder));
        if (!isOurs || !stats.isFile() || stats.size > maxBytes) return undefined;
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  };
