import type { MaintenanceStore } from '../../core/stores.js';
import type { SqliteContext } from './context.js';

/** 8 MB of 4 KB pages: some milliseconds of work, during which nothing else happens. */
const SHRINK_PAGES = 2000;

export const createSqliteSpace = ({
  connection,
}: SqliteContext): Pick<MaintenanceStore, 'sizeBytes' | 'shrink'> => {
  const readPragma = (name: string): number =>
    Number(connection.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  return {
    sizeBytes: async () =>
      (readPragma('page_count') - readPragma('freelist_count')) * readPragma('page_size'),
    shrink: async () => {
      const before = readPragma('freelist_count');
      // The pragma works as far as it is stepped; `exec` steps it to its end.
      if (before > 0) connection.exec(`PRAGMA incremental_vacuum(${SHRINK_PAGES})`);
      // A database from before it could shrink keeps its free room for itself.
      return readPragma('freelist_count') < before;
    },
  };
};
