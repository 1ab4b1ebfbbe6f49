import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { PreferenceStore } from '../../core/preferences.js';

const namespace = 'preferences';

/** Preferences in any store that Keyv knows, by default in memory. Rejects with what the store's adapter throws. */
export const createKeyvPreferences = (store?: KeyvStoreAdapter): PreferenceStore => {
  const keyv = new Keyv<string>({
    namespace,
    ...(store !== undefined && { store }),
    // A write that failed is known by its rejection; an event beside it would end the process.
    throwOnErrors: true,
    emitErrors: false,
  });
  return {
    all: async () => {
      const found = new Map<string, string>();
      for await (const [key, value] of keyv.iterator?.(undefined) ?? []) {
        if (typeof key === 'string' && typeof value === 'string') found.set(key, value);
      }
      return found;
    },
    set: async (key, value) => {
      await keyv.set(key, value);
    },
    remove: async (key) => {
      await keyv.delete(key);
    },
  };
};
