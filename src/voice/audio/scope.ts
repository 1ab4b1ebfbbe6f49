/**
 * Temporary files, each piece of work in a folder of its own that goes with it.
 * What a kill left behind goes before the first work of the next life.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { never, ToolError } from '../../core/errors.js';

/** Gives `work` an empty folder (absolute) and removes it with all that is in it, however the work ends. */
export type WithScope = <Result>(work: (folder: string) => Promise<Result>) => Promise<Result>;

const toDiskError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const message =
    error.code === 'ENOSPC'
      ? 'the disk is full'
      : `a temporary file cannot be written (${String(error.code)})`;
  return new ToolError({ code: 'failed', message, retry: never, cause: error });
};

/** `root`: a folder that nobody else uses. */
export const createScopes = (root: string): WithScope => {
  let cleared: Promise<void> | undefined;
  return async (work) => {
    cleared ??= rm(root, { recursive: true, force: true });
    let folder: string | undefined;
    try {
      await cleared;
      await mkdir(root, { recursive: true, mode: 0o700 });
      folder = await mkdtemp(join(root, 'work-'));
      return await work(folder);
    } catch (error) {
      throw toDiskError(error);
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  };
};
