import type { SessionId, TurnId } from '../../core/ids.js';
import type { ModelMessage } from '../../core/provider.js';
import { toJson } from '../json-text.js';
import { turnNotRunning } from '../refusals.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, isNull, readJson, readOneOf, readText } from './row-reader.js';
import { assistantDetail, toolDetail, userDetail } from './stored-shapes.js';

const roles: readonly ModelMessage['role'][] = ['user', 'assistant', 'tool'];

const toModelMessage = (row: Row): ModelMessage => {
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
      return toJson({ call: message.call, isError: message.isError });
  }
};

/** The transcripts. Writing runs inside the caller's transaction. */
export interface SqliteMessages {
  /** Throws a StoreError if the turn is not running. */
  append(turn: TurnId, message: ModelMessage): void;
  /** The newest of a session, oldest first. */
  newest(session: SessionId, limit: number): readonly ModelMessage[];
  /** Those of one running turn, oldest first. Throws a StoreError for a damaged row. */
  ofTurn(turn: TurnId): readonly ModelMessage[];
}

export const createSqliteMessages = ({ connection, logger }: SqliteContext): SqliteMessages => {
  const reader = createRowReader('messages', logger);
  const insert = connection.prepare(
    'INSERT INTO messages (session, turn, role, text, detail) SELECT session, id, ?, ?, ? FROM turns WHERE id = ?',
  );
  const selectNewest = connection.prepare(
    'SELECT position, role, text, detail FROM messages WHERE session = ? ORDER BY position DESC LIMIT ?',
  );
  const selectOfTurn = connection.prepare(
    `SELECT position, role, text, detail FROM messages
     WHERE session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1 ORDER BY position`,
  );

  return {
    append: (turn, message) => {
      if (insert.run(message.role, message.text, detailOf(message), turn) === 0) throw turnNotRunning(turn);
    },
    newest: (session, limit) =>
      reader.many(selectNewest.all(session, limit).toReversed(), 'position', toModelMessage),
    // Without one of its steps, a call that began could pass for one that never was.
    ofTurn: (turn) => selectOfTurn.all(turn).map((row) => reader.one(row, 'position', toModelMessage)),
  };
};
