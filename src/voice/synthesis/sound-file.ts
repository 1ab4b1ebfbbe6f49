import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { later } from '../../core/errors.js';
import { engineError } from '../engine-error.js';

/** What an hour of speech takes; more is no speech. */
const MAX_BYTES = 100 * 1_048_576;

/** Writes what an engine sends to a new file. Rejects with a ToolError if there is nothing, or far too much. */
export const writeSound = async (
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { folder, extension }: { readonly folder: string; readonly extension: string },
): Promise<string> => {
  const path = join(folder, `spoken-${randomUUID()}${extension}`);
  const file = await open(path, 'wx', 0o600);
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_BYTES) throw engineError(`${name} sends without end`);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (sizeBytes === 0) throw engineError(`${name} answered with no sound`, later);
  return path;
};
