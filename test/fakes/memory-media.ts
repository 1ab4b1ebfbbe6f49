import { never, ToolError } from '../../src/core/errors.js';
import type { MediaStore } from '../../src/core/media.js';
import type { StoredFile } from '../../src/core/parts.js';

/** Keeps files in memory and believes what is said of their type. */
export const createMemoryMedia = (): Pick<MediaStore, 'keep' | 'open'> => {
  const kept = new Map<string, { readonly file: StoredFile; readonly bytes: Uint8Array }>();
  return {
    keep: async ({ kind, fileName = kind, mimeType = 'application/octet-stream', maxBytes }, bytes) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const whole = Buffer.concat(chunks);
      if (whole.length === 0 || whole.length > maxBytes)
        throw new ToolError({ code: 'invalid-input', message: 'it has not the right size', retry: never });
      const id = `${kept.size + 1}-${fileName}`;
      const file = { path: `/cache/${id}`, fileName, mimeType, sizeBytes: whole.length };
      kept.set(id, { file, bytes: whole });
      return file;
    },
    open: async (id) => {
      const found = kept.get(id);
      if (found === undefined) return undefined;
      const { file, bytes } = found;
      return {
        file,
        bytes: (async function* () {
          yield bytes;
        })(),
      };
    },
  };
};
