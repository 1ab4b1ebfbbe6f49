import {
  type TurnId,
  toCorrelationId,
  toMessageId,
  toSessionId,
  toSessionKey,
  toTurnId,
} from '../../core/ids.js';
import { type Category, categories } from '../../core/permission.js';
import type { TurnRecord, TurnStore } from '../../core/stores.js';
import { toJson } from '../json-text.js';
import { openCallsOf } from '../open-calls.js';
import { turnNotRunning } from '../refusals.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import { createRowReader, readInteger, readJson, readOneOf, readOptional, readText } from './row-reader.js';
import type { SqliteInbox } from './sqlite-inbox.js';
import type { SqliteMessages } from './sqlite-messages.js';
import type { SqliteOutbox } from './sqlite-outbox.js';
import { caller } from './stored-shapes.js';

const toTurnRecord = (row: Row): TurnRecord => ({
  id: toTurnId(readText(row, 'id')),
  session: toSessionId(readText(row, 'session')),
  sessionKey: toSessionKey(readText(row, 'session_key')),
  caller: readJson(row, 'caller', caller),
  ...readOptional(row, 'reply_to', 'replyTo', toMessageId),
  correlation: toCorrelationId(readText(row, 'correlation')),
  startedAt: readInteger(row, 'started_at'),
  attempts: readInteger(row, 'attempts'),
  ...(readInteger(row, 'has_preview') === 1
    ? { preview: readOptional(row, 'preview_message', 'message', toMessageId) }
    : {}),
});

const prepareStatements = ({ prepare }: Connection) => ({
  insert: prepare(
    `INSERT INTO turns (id, session, session_key, caller, reply_to, correlation, started_at, attempts,
       has_preview, preview_message) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  exists: prepare('SELECT 1 FROM turns WHERE id = ?'),
  beginCall: prepare(
    `INSERT INTO begun_calls (turn, call, category) SELECT id, ?, ? FROM turns WHERE id = ?
     ON CONFLICT (turn, call) DO UPDATE SET category = excluded.category`,
  ),
  selectBegun: prepare('SELECT call, category FROM begun_calls WHERE turn = ?'),
  setPreview: prepare('UPDATE turns SET has_preview = ?, preview_message = ? WHERE id = ?'),
  retry: prepare('UPDATE turns SET attempts = attempts + 1 WHERE id = ? RETURNING attempts'),
  addUsage: prepare(
    `UPDATE sessions SET turns = turns + 1, input_tokens = input_tokens + ?, output_tokens = output_tokens + ?
     WHERE id = (SELECT session FROM turns WHERE id = ?)`,
  ),
  suspend: prepare('UPDATE turns SET attempts = attempts - 1 WHERE id = ?'),
  remove: prepare('DELETE FROM turns WHERE id = ?'),
  selectAll: prepare('SELECT * FROM turns ORDER BY position'),
});

/** The rooms of the database that a turn writes to besides its own. */
interface TurnNeighbours {
  readonly inbox: SqliteInbox;
  readonly messages: SqliteMessages;
  readonly outbox: SqliteOutbox;
}

export const createSqliteTurns = (
  { connection, logger }: SqliteContext,
  { inbox, messages, outbox }: TurnNeighbours,
): TurnStore => {
  const reader = createRowReader('turns', logger);
  const callReader = createRowReader('begun_calls', logger);
  const statements = prepareStatements(connection);

  const mustChange = (turn: TurnId, changes: number): void => {
    if (changes === 0) throw turnNotRunning(turn);
  };
  const insert = (turn: TurnRecord): void => {
    statements.insert.run(
      turn.id,
      turn.session,
      turn.sessionKey,
      toJson(turn.caller),
      turn.replyTo ?? null,
      turn.correlation,
      turn.startedAt,
      turn.attempts,
      turn.preview === undefined ? 0 : 1,
      turn.preview?.message ?? null,
    );
  };
  const takeInput = (turn: TurnId, { entries, messages: input }: Parameters<TurnStore['join']>[1]): void => {
    inbox.take(turn, entries);
    for (const message of input) messages.append(turn, message);
  };
  const begunCalls = (turn: TurnId): ReadonlyMap<string, Category> =>
    new Map(
      statements.selectBegun
        .all(turn)
        .map((row) =>
          callReader.one(row, 'call', () => [readText(row, 'call'), readOneOf(row, 'category', categories)]),
        ),
    );

  return {
    begin: (turn, input) =>
      connection.queue(() => {
        if (input.replaces !== undefined) messages.removeTurn(turn.session, input.replaces);
        insert(turn);
        takeInput(turn.id, input);
      }),
    join: async (turn, input) =>
      connection.transaction(() => {
        if (statements.exists.get(turn) === undefined) throw turnNotRunning(turn);
        takeInput(turn, input);
      }),
    addStep: async (turn, message, deliveries) =>
      connection.transaction(() => {
        messages.append(turn, message);
        outbox.insert(deliveries);
        statements.setPreview.run(0, null, turn);
      }),
    callBegun: async (turn, call, category) =>
      mustChange(turn, statements.beginCall.run(call, category, turn)),
    addResult: async (turn, message, deliveries = []) =>
      connection.transaction(() => {
        messages.append(turn, message);
        outbox.insert(deliveries);
      }),
    setPreview: async (turn, preview) =>
      mustChange(
        turn,
        statements.setPreview.run(preview === undefined ? 0 : 1, preview?.message ?? null, turn),
      ),
    end: (turn, { message, deliveries, usage = { inputTokens: 0, outputTokens: 0 } }) =>
      connection.queue(() => {
        if (message !== undefined) messages.append(turn, message);
        outbox.insert(deliveries);
        inbox.finishTurn(turn);
        statements.addUsage.run(Math.round(usage.inputTokens), Math.round(usage.outputTokens), turn);
        mustChange(turn, statements.remove.run(turn));
      }),
    interrupted: async () => reader.many(statements.selectAll.all(), 'id', toTurnRecord),
    suspend: async (turn) => mustChange(turn, statements.suspend.run(turn)),
    retry: async (turn) => {
      const row = statements.retry.get(turn);
      if (row === undefined) throw turnNotRunning(turn);
      return readInteger(row, 'attempts');
    },
    openCalls: async (turn) => openCallsOf(messages.ofTurn(turn), begunCalls(turn)),
  };
};
