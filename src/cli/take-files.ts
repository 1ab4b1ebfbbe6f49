import { resolve } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import type { StoredFile } from '../core/parts.js';
import { createMediaStore } from '../host/index.js';
import { CommandFailure } from './edge.js';

const nothingFetched = (): Promise<never> =>
  Promise.reject(new ToolError({ code: 'not-allowed', message: 'nothing is fetched here', retry: never }));

const explain = (path: string, { code, message }: ToolError): CommandFailure =>
  new CommandFailure(
    code === 'not-allowed'
      ? `${path} cannot be sent: keys, settings, databases and the like never are, wherever they lie. Nothing was sent.`
      : `${path} cannot be sent: ${message}. Nothing was sent.`,
  );

/**
 * Files that the operator names, copied to the spool of the home, so that what is sent is what lies there now. They may
 * lie anywhere, but a secret is none to send. All or none; rejects with a CommandFailure.
 */
export const takeFiles = async (paths: readonly string[], home: string): Promise<readonly StoredFile[]> => {
  // The whole disk as one folder: so a file is judged by its whole path.
  const store = createMediaStore({ home, workspace: '/', allowDirs: [], fetch: nothingFetched });
  const taken: StoredFile[] = [];
  for (const path of paths) {
    try {
      taken.push(await store.take(resolve(path), { signal: new AbortController().signal }));
    } catch (error) {
      await store.release(taken.map((file) => file.path));
      throw error instanceof ToolError ? explain(path, error) : error;
    }
  }
  return taken;
};
