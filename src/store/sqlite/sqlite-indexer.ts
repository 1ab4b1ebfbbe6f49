/**
 * Brings the words of messages into the index, a batch at a time: one by one they cost as much as all that a turn writes.
 *
 * 1. How far it has come is stored with what it wrote: a kill loses nothing, and a search catches up first.
 * 2. A batch is a transaction of its own: nobody who writes waits for it.
 */
import { StoreError } from '../../core/errors.js';
import { toSessionId } from '../../core/ids.js';
import type { SqliteContext } from './context.js';
import { isNull, readInteger, readText } from './row-reader.js';
import { createSearchIndex } from './sqlite-search.js';

/** A batch this large costs a tenth of its messages one by one, and holds up everything else for a millisecond. */
const batchSize = 64;

export interface SqliteIndexer {
  /** A message was written. */
  note(): void;
  /** Indexes all that is left. A disk that takes no more is no reason not to find what is indexed. */
  catchUp(): void;
  /** The connection is about to be closed. */
  stop(): void;
}

export const createSqliteIndexer = ({ connection, logger }: SqliteContext): SqliteIndexer => {
  const index = createSearchIndex(connection);
  const selectNext = connection.prepare(
    `SELECT position, role, session, person, text FROM messages JOIN sessions ON sessions.id = session
     WHERE position > (SELECT up_to FROM search_progress) ORDER BY position LIMIT ?`,
  );
  const setProgress = connection.prepare('UPDATE search_progress SET up_to = ?');
  let waiting = 0;
  let isStopped = false;

  /** True if there may be more. */
  const indexBatch = (): boolean => {
    const rows = selectNext.all(batchSize);
    const last = rows.at(-1);
    if (last === undefined) return false;
    connection.transaction(() => {
      for (const row of rows) {
        const text = readText(row, 'text');
        // Results of tools are long and seldom what somebody looks for.
        if (readText(row, 'role') === 'tool' || text === '') continue;
        const person = isNull(row, 'person') ? null : readText(row, 'person');
        const session = toSessionId(readText(row, 'session'));
        index({ position: readInteger(row, 'position'), session, person, text });
      }
      setProgress.run(readInteger(last, 'position'));
    });
    return rows.length === batchSize;
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logger.warn({ error }, 'messages could not be indexed for search yet');
    }
  };
  const indexSome = (): void => {
    if (isStopped) return;
    waiting = 0;
    guarded(indexBatch);
  };
  return {
    note: () => {
      waiting += 1;
      // Behind the transaction that this one is noted in.
      if (waiting === batchSize) setImmediate(indexSome);
    },
    catchUp: () => {
      guarded(() => {
        while (indexBatch());
      });
    },
    stop: () => {
      isStopped = true;
    },
  };
};
