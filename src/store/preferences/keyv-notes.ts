import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { PlatformId } from '../../core/ids.js';
import type { JsonValue } from '../../core/json.js';
import type { NoteStore } from '../../core/notes.js';

/** Notes of each platform in any store that Keyv knows, by default in memory. Rejects with what the adapter throws. */
export const createKeyvNotes = (store?: KeyvStoreAdapter): ((platform: PlatformId) => NoteStore) => {
  const kept = store ?? new Map<string, unknown>();
  return (platform) => {
    const keyv = new Keyv<JsonValue>({
      namespace: `notes-${platform}`,
      store: kept,
      // A write that failed is known by its rejection; an event beside it would end the process.
      throwOnErrors: true,
      emitErrors: false,
    });
    return {
      read: (name) => keyv.get(name),
      write: async (name, value) => {
        await keyv.set(name, value);
      },
    };
  };
};
