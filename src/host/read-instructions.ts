import { readFile } from 'node:fs/promises';
import type { Logger } from '../core/logger.js';

/** Undefined where there is none. One that cannot be read is told in the log, and the conversation begins without it. */
export const readInstructions = async (path: string, logger: Logger): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) logger.warn({ error, path }, 'a file of instructions cannot be read and is left out');
    return undefined;
  }
};
