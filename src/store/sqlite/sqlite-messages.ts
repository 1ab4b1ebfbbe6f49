import { type SessionId, type TurnId, toToolCallId } from '../../core/ids.js';
import type { AssistantMessage, ModelMessage } from '../../core/provider.js';
import { toJson } from '../json-text.js';
import { turnNotRunning } from '../refusals.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, isNull, readInteger, readJson, readOneOf, readText } from './row-reader.js';
import { toolCalls } from './stored-shapes.js';

const roles: readonly ModelMessage['role'][] = ['user', 'assistant', 'tool'];

const toAssistantMessage = (row: Row): AssistantMessage => ({
  role: 'assistant',
  text: readText(row, 'text'),
  toolCalls: isNull(row, 'tool_calls') ? [] : readJson(row, 'tool_calls', toolCalls),
  ...(isNull(row, 'is_partial') ? {} : { isPartial: readInteger(row, 'is_partial') === 1 }),
});

// By hand: every turn reads its whole history.
const toModelMessage = (row: Row): ModelMessage => {
  const role = readOneOf(row, 'role', roles);
  switch (role) {
    case 'user':
      return { role, text: readText(row, 'text') };
    case 'assistant':
      return toAssistantMessage(row);
    case 'tool':
      return {
        role,
        call: toToolCallId(readText(row, 'call')),
        text: readText(row, 'text'),
        isError: readInteger(row, 'is_error') === 1,
      };
  }
};

const isPartialColumn = ({ isPartial }: AssistantMessage): number | null =>
  isPartial === undefined ? null : Number(isPartial);

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
    `INSERT INTO messages (session, turn, role, text, tool_calls, is_partial, call, is_error)
     SELECT session, id, ?, ?, ?, ?, ?, ? FROM turns WHERE id = ?`,
  );
  const columns = 'position, role, text, tool_calls, is_partial, call, is_error';
  const selectNewest = connection.prepare(
    `SELECT ${columns} FROM messages WHERE session = ? ORDER BY position DESC LIMIT ?`,
  );
  const selectOfTurn = connection.prepare(
    `SELECT ${columns} FROM messages
     WHERE session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1 ORDER BY position`,
  );

  const insertMessage = (turn: TurnId, message: ModelMessage): number => {
    switch (message.role) {
      case 'user':
        return insert.run('user', message.text, null, null, null, null, turn);
      case 'assistant': {
        const calls = message.toolCalls.length === 0 ? null : toJson(message.toolCalls);
        return insert.run('assistant', message.text, calls, isPartialColumn(message), null, null, turn);
      }
      case 'tool':
        return insert.run('tool', message.text, null, null, message.call, Number(message.isError), turn);
    }
  };

  return {
    append: (turn, message) => {
      if (insertMessage(turn, message) === 0) throw turnNotRunning(turn);
    },
    newest: (session, limit) =>
      reader.many(selectNewest.all(session, limit).toReversed(), 'position', toModelMessage),
    // Without one of its steps, a call that began could pass for one that never was.
    ofTurn: (turn) => selectOfTurn.all(turn).map((row) => reader.one(row, 'position', toModelMessage)),
  };
};
