import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SweepReport } from '../core/media.js';

interface Found {
  readonly path: string;
  readonly sizeBytes: number;
  readonly changedAt: number;
}

const filesOf = async (folder: string): Promise<readonly Found[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async ({ name }): Promise<readonly Found[]> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      return stats === undefined ? [] : [{ path, sizeBytes: stats.size, changedAt: stats.mtimeMs }];
    });
  return (await Promise.all(found)).flat();
};

/** Deletes what is older than `olderThan` (epoch ms), then the oldest until `maxBytes` are left. Folders stay. */
export const sweepFolders = async (
  folders: readonly string[],
  { olderThan, maxBytes }: { readonly olderThan: number; readonly maxBytes: number },
): Promise<SweepReport> => {
  const found = (await Promise.all(folders.map(filesOf))).flat();
  found.sort((one, other) => one.changedAt - other.changedAt);
  let left = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let files = 0;
  let bytes = 0;
  for (const { path, sizeBytes, changedAt } of found) {
    if (changedAt >= olderThan && left <= maxBytes) break;
    const isGone = await unlink(path).then(
      () => true,
      () => false,
    );
    left -= sizeBytes;
    if (!isGone) continue;
    files += 1;
    bytes += sizeBytes;
  }
  return { files, bytes };
};
