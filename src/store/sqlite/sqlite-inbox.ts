import { type InboxId, type TurnId, toInboxId, toTurnId } from '../../core/ids.js';
import type { InboxStore } from '../../core/stores.js';
import { toJson } from '../json-text.js';
import type { SqliteContext } from './context.js';
import { createRowReader, readJson, readOptional, readText } from './row-reader.js';
import { inboundEvent } from './stored-shapes.js';

/** `take`, `finishTurn` and `prune` run inside the caller's transaction. */
export interface SqliteInbox {
  readonly store: InboxStore;
  finish(ids: readonly InboxId[]): void;
  take(turn: TurnId, ids: readonly InboxId[]): void;
  finishTurn(turn: TurnId): void;
  prune(before: number): void;
}

export const createSqliteInbox = ({ connection, logger, now }: SqliteContext): SqliteInbox => {
  const reader = createRowReader('inbox', logger);
  const insert = connection.prepare(
    `INSERT INTO inbox (id, dedupe_key, event, finished_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (dedupe_key) DO NOTHING`,
  );
  // By name, since without statistics a scan of all keys ever seen looks cheaper than sorting the few open rows.
  const selectOpen = connection.prepare(
    'SELECT id, event, turn FROM inbox INDEXED BY inbox_open WHERE finished_at IS NULL ORDER BY position',
  );
  const finishOne = connection.prepare(
    'UPDATE inbox SET event = NULL, finished_at = ? WHERE id = ? AND finished_at IS NULL',
  );
  const finishOfTurn = connection.prepare(
    'UPDATE inbox SET event = NULL, finished_at = ? WHERE turn = ? AND finished_at IS NULL',
  );
  const takeOne = connection.prepare('UPDATE inbox SET turn = ? WHERE id = ? AND finished_at IS NULL');
  const forget = connection.prepare('DELETE FROM inbox WHERE finished_at < ?');

  const finish = (ids: readonly InboxId[]): void => {
    for (const id of ids) finishOne.run(now(), id);
  };

  return {
    store: {
      accept: (entries) =>
        connection.queue(() =>
          entries.map(({ id, event, dedupeKey }) => {
            const isRefused = event === undefined;
            const changes = insert.run(
              id,
              dedupeKey,
              isRefused ? null : toJson(event),
              isRefused ? now() : null,
            );
            return changes === 1 ? 'stored' : 'duplicate';
          }),
        ),
      unfinished: async () =>
        reader.many(selectOpen.all(), 'id', (row) => ({
          id: toInboxId(readText(row, 'id')),
          event: readJson(row, 'event', inboundEvent),
          ...readOptional(row, 'turn', 'turn', toTurnId),
        })),
      finish: async (ids) => connection.transaction(() => finish(ids)),
    },
    finish,
    take: (turn, ids) => {
      for (const id of ids) takeOne.run(turn, id);
    },
    finishTurn: (turn) => {
      finishOfTurn.run(now(), turn);
    },
    prune: (before) => {
      forget.run(before);
    },
  };
};
