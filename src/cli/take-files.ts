import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import type { StoredFile } from '../core/parts.js';
import { createMediaStore } from '../host/index.js';

/**
 * A file that the operator names, copied to the spool of the home. It may lie anywhere, but a secret is none to send.
 * Rejects with a ToolError that says in one sentence what is wrong.
 */
export const takeForSending = async (path: string, home: string): Promise<StoredFile> => {
  const real = await realpath(path).catch(() => path);
  const folder = dirname(real);
  const store = createMediaStore({
    home,
    workspace: folder,
    allowDirs: [],
    fetch: () =>
      Promise.reject(
        new ToolError({ code: 'not-allowed', message: 'nothing is fetched here', retry: never }),
      ),
  });
  return store.take(real, { signal: new AbortController().signal });
};
