import type { KeyvStoreAdapter } from 'keyv';
import { toJson } from '../json-text.js';
import type { SqliteContext } from './context.js';
import { readText } from './row-reader.js';

/** Keyv on our database. Its values are texts, which Keyv makes and reads. */
export const createKeyvAdapter = ({ connection }: SqliteContext): KeyvStoreAdapter => {
  const select = connection.prepare('SELECT value FROM preferences WHERE key = ?');
  const upsert = connection.prepare(
    'INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = connection.prepare('DELETE FROM preferences WHERE key = ?');
  const removeAll = connection.prepare("DELETE FROM preferences WHERE key LIKE ? || ':%'");
  const selectAll = connection.prepare(
    "SELECT key, value FROM preferences WHERE key LIKE ? || ':%' ORDER BY key",
  );

  const adapter: KeyvStoreAdapter = {
    // By this name Keyv knows that the store can be iterated.
    opts: { dialect: 'sqlite' },
    // Errors are thrown, never emitted.
    on: () => adapter,
    get: async (key) => {
      const row = select.get(key);
      // Keyv parses what it stored.
      return row === undefined ? undefined : (readText(row, 'value') as never);
    },
    set: async (key: string, value: unknown) => {
      upsert.run(key, typeof value === 'string' ? value : toJson(value));
    },
    delete: async (key) => remove.run(key) > 0,
    clear: async () => {
      removeAll.run(adapter.namespace ?? '');
    },
    iterator: async function* (namespace = '') {
      // Keyv parses what it stored.
      for (const row of selectAll.all(namespace))
        yield [readText(row, 'key'), readText(row, 'value') as never];
    },
  };
  return adapter;
};
