import { chmod, open, stat } from 'node:fs/promises';
import { toStoreError } from './driver-errors.js';

const privateMode = 0o600;
const othersMode = 0o077;

const exists = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/**
 * Makes sure that the file exists and that only its owner may read it; SQLite then creates the files beside it with
 * the same mode. Never opens a file that is there already: closing it would drop the locks that this process may hold
 * on it. Rejects with a StoreError.
 */
export const ensurePrivateFile = async (file: string): Promise<void> => {
  try {
    const handle = await open(file, 'wx', privateMode);
    await handle.close();
  } catch (error) {
    if (!exists(error)) throw toStoreError(error, file);
    try {
      const { mode } = await stat(file);
      if ((mode & othersMode) !== 0) await chmod(file, privateMode);
    } catch {
      // Some file systems have no modes. Whether the file can be used shows when it is opened.
    }
  }
};
