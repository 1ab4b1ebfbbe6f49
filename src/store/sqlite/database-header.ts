import { type FileHandle, open } from 'node:fs/promises';
import { toStoreError } from './driver-errors.js';

/** `HGwy`: written into the header of every database that is ours. */
export const applicationId = 0x48477779;

/** `none`: the file is missing or empty, so it can become ours. */
export type DatabaseOwner = 'ours' | 'foreign' | 'none';

const magic = 'SQLite format 3\0';
const headerBytes = 100;
const applicationIdOffset = 68;

/**
 * Whose database a file is, from its header and without SQLite, which would create files beside it. Must not be called
 * while this process has the file open: closing it here would drop the locks that SQLite holds on it.
 * Rejects with a StoreError if the file cannot be read.
 */
export const readDatabaseOwner = async (file: string): Promise<DatabaseOwner> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const header = Buffer.alloc(headerBytes);
    const { bytesRead } = await handle.read(header, 0, headerBytes, 0);
    if (bytesRead === 0) return 'none';
    const isSqlite = bytesRead === headerBytes && header.toString('latin1', 0, magic.length) === magic;
    return isSqlite && header.readInt32BE(applicationIdOffset) === applicationId ? 'ours' : 'foreign';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'none';
    if (code === 'EISDIR') return 'foreign';
    throw toStoreError(error, file);
  } finally {
    await handle?.close();
  }
};
