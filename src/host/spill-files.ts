import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const maxNameLength = 120;

/**
 * Keeps texts as files of a folder of ours, readable by this user only. The same name again replaces the file.
 * Rejects with what writing throws.
 */
export const createSpillFiles =
  (folder: string) =>
  async (text: string, name: string): Promise<string> => {
    const safe = name.replace(/[^\w-]/gu, '_').slice(0, maxNameLength);
    const path = join(folder, `${safe}.txt`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    // The mode above counts only for a new file.
    await chmod(path, 0o600);
    return path;
  };
