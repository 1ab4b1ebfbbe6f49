import { type SessionId, type TurnId, toSessionId } from '../../core/ids.js';
import type { ModelMessage } from '../../core/provider.js';
import { toJson } from '../json-text.js';
import { turnNotRunning } from '../refusals.js';
import { toSummary } from '../summary.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import type { RecentMessages } from './recent-messages.js';
import { createRowReader, isNull, readInteger, readJson, readOneOf, readText } from './row-reader.js';
import type { SqliteIndexer } from './sqlite-indexer.js';
import { assistantDetail, toolDetail, userDetail } from './stored-shapes.js';

const roles: readonly ModelMessage['role'][] = ['user', 'assistant', 'tool'];

export const toModelMessage = (row: Row): ModelMessage => {
  const role = readOneOf(row, 'role', roles);
  const text = readText(row, 'text');
  switch (role) {
    case 'user':
      return isNull(row, 'detail') ? { role, text } : { role, text, ...readJson(row, 'detail', userDetail) };
    case 'assistant':
      // Most have nothing but text, and every turn reads its whole history.
      return isNull(row, 'detail')
        ? { role, text, toolCalls: [] }
        : { role, text, ...readJson(row, 'detail', assistantDetail) };
    case 'tool':
      return { role, text, ...readJson(row, 'detail', toolDetail) };
  }
};

const detailOf = (message: ModelMessage): string | null => {
  switch (message.role) {
    case 'user':
      return message.images === undefined ? null : toJson({ images: message.images });
    case 'assistant': {
      const { toolCalls, isPartial } = message;
      return toolCalls.length === 0 && isPartial === undefined ? null : toJson({ toolCalls, isPartial });
    }
    case 'tool':
      return toJson({ call: message.call, isError: message.isError, images: message.images });
  }
};

/** The transcripts. Writing runs inside the caller's transaction. */
export interface SqliteMessages {
  /** Throws a StoreError if the turn is not running. */
  append(turn: TurnId, message: ModelMessage): void;
  removeTurn(session: SessionId, turn: TurnId): void;
  /** The newest of a session, oldest first, behind the summary of what came before, if there is one. */
  newest(session: SessionId, limit: number): readonly ModelMessage[];
  compact(session: SessionId, compaction: { readonly keep: number; readonly summary: string }): void;
  /** Those of one running turn, oldest first. Throws a StoreError for a damaged row. */
  ofTurn(turn: TurnId): readonly ModelMessage[];
}

const prepareStatements = ({ prepare }: Connection) => ({
  insert: prepare(
    `INSERT INTO messages (session, turn, role, text, detail, at)
     SELECT session, id, ?, ?, ?, ? FROM turns WHERE id = ? RETURNING session`,
  ),
  removeTurn: prepare('DELETE FROM messages WHERE session = ? AND turn = ?'),
  selectNewest: prepare(
    `SELECT position, role, text, detail FROM messages
     WHERE session = ? AND position > ? ORDER BY position DESC LIMIT ?`,
  ),
  selectCompaction: prepare('SELECT up_to, summary FROM compactions WHERE session = ?'),
  compact: prepare(
    `INSERT INTO compactions (session, up_to, summary, at)
     SELECT session, position, ?3, ?4 FROM messages
     WHERE session = ?1 AND position > ifnull((SELECT up_to FROM compactions WHERE session = ?1), 0)
     ORDER BY position DESC LIMIT 1 OFFSET ?2
     ON CONFLICT (session) DO UPDATE SET up_to = excluded.up_to, summary = excluded.summary, at = excluded.at`,
  ),
  selectOfTurn: prepare(
    `SELECT position, role, text, detail FROM messages
     WHERE session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1 ORDER BY position`,
  ),
});

export const createSqliteMessages = (
  { connection, logger, now }: SqliteContext,
  indexer: Pick<SqliteIndexer, 'note'>,
  recent: RecentMessages,
): SqliteMessages => {
  // Messages that were taken for stored are not.
  connection.onRollback(() => recent.forget());
  const reader = createRowReader('messages', logger);
  const statements = prepareStatements(connection);

  return {
    append: (turn, message) => {
      const { role, text } = message;
      const row = statements.insert.get(role, text, detailOf(message), now(), turn);
      if (row === undefined) throw turnNotRunning(turn);
      recent.append(toSessionId(readText(row, 'session')), message);
      indexer.note();
    },
    removeTurn: (session, turn) => {
      statements.removeTurn.run(session, turn);
      recent.forget(session);
    },
    newest: (session, limit) => {
      const known = recent.get(session, limit);
      if (known !== undefined) return known;
      const compaction = statements.selectCompaction.get(session);
      const upTo = compaction === undefined ? 0 : readInteger(compaction, 'up_to');
      const rows = statements.selectNewest.all(session, upTo, limit).toReversed();
      const messages = [...reader.many(rows, 'position', toModelMessage)];
      const summary = compaction === undefined ? undefined : toSummary(readText(compaction, 'summary'));
      recent.set(session, { messages, limit, summary });
      return summary === undefined ? messages : [summary, ...messages];
    },
    compact: (session, { keep, summary }) => {
      statements.compact.run(session, keep, summary, now());
      recent.forget(session);
    },
    // Without one of its steps, a call that began could pass for one that never was.
    ofTurn: (turn) =>
      statements.selectOfTurn.all(turn).map((row) => reader.one(row, 'position', toModelMessage)),
  };
};
