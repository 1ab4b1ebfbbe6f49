import type { ArchiveStore, SessionOverview, SessionScope, StoredMessage } from '../../core/archive.js';
import { type SessionId, toSessionId, toSessionKey, toTurnId } from '../../core/ids.js';
import { pageTitleOf } from '../page-title.js';
import type { SqliteContext } from './context.js';
import type { CurrentSessions } from './current-sessions.js';
import type { Connection, Row } from './driver.js';
import type { RecentMessages } from './recent-messages.js';
import { createRowReader, isNull, readInteger, readText } from './row-reader.js';
import type { SqliteInbox } from './sqlite-inbox.js';
import type { SqliteIndexer } from './sqlite-indexer.js';
import { toModelMessage } from './sqlite-messages.js';
import { createSqliteSearch, personText } from './sqlite-search.js';

/** `chosen` picks and orders the sessions: only of those it counts what is costly to count. */
const overviewOf = (chosen: string): string => `
  SELECT id, key, created_at, is_current, input_tokens, output_tokens, last_at,
    (SELECT text FROM messages WHERE session = id AND role = 'user' ORDER BY position LIMIT 1) AS title,
    (SELECT count(*) FROM messages WHERE session = id) AS messages
  FROM (SELECT sessions.*, sessions.rowid AS number, ifnull(
      (SELECT at FROM messages WHERE session = id ORDER BY position DESC LIMIT 1), 0) AS last_at
    FROM sessions ${chosen})`;

const toOverview = (row: Row): SessionOverview => ({
  id: toSessionId(readText(row, 'id')),
  key: toSessionKey(readText(row, 'key')),
  title: isNull(row, 'title') ? '' : pageTitleOf(readText(row, 'title')),
  createdAt: readInteger(row, 'created_at'),
  usedAt: Math.max(readInteger(row, 'created_at'), readInteger(row, 'last_at')),
  messages: readInteger(row, 'messages'),
  isCurrent: readInteger(row, 'is_current') === 1,
  usage: { inputTokens: readInteger(row, 'input_tokens'), outputTokens: readInteger(row, 'output_tokens') },
});

const toStored = (row: Row): StoredMessage => ({
  message: toModelMessage(row),
  turn: toTurnId(readText(row, 'turn')),
  at: readInteger(row, 'at'),
});

const latestFirst = 'ORDER BY max(created_at, last_at) DESC, number DESC LIMIT ?';

const prepareStatements = ({ prepare }: Connection) => ({
  listAll: prepare(overviewOf(latestFirst)),
  listKey: prepare(overviewOf(`WHERE key = ? ${latestFirst}`)),
  listOwn: prepare(overviewOf(`WHERE person = ? OR id = ? ${latestFirst}`)),
  idle: prepare(
    overviewOf(
      `WHERE max(created_at, last_at) < ? AND NOT EXISTS (SELECT 1 FROM turns WHERE session = sessions.id)
       ORDER BY max(created_at, last_at), number LIMIT ?`,
    ),
  ),
  find: prepare(overviewOf('WHERE id = ?')),
  transcript: prepare(
    'SELECT position, role, text, detail, at, turn FROM messages WHERE session = ? ORDER BY position',
  ),
  lastTurn: prepare(
    `SELECT turn FROM messages WHERE session = ?1
       AND position > ifnull((SELECT up_to FROM compactions WHERE session = ?1), 0)
     ORDER BY position DESC LIMIT 1`,
  ),
  isCut: prepare(
    `SELECT 1 FROM messages WHERE session = ?1 AND turn = ?2
       AND position <= (SELECT up_to FROM compactions WHERE session = ?1) LIMIT 1`,
  ),
  isRunning: prepare('SELECT 1 FROM turns WHERE id = ? OR session = ?'),
  ofTurn: prepare(
    'SELECT position, role, text, detail FROM messages WHERE session = ? AND turn = ? ORDER BY position',
  ),
  deleteTurn: prepare('DELETE FROM messages WHERE session = ? AND turn = ?'),
  totalUsage: prepare(
    `SELECT ifnull(sum(input_tokens), 0) AS input_tokens, ifnull(sum(output_tokens), 0) AS output_tokens
     FROM sessions WHERE ?1 = '' OR key = ?1`,
  ),
  exists: prepare('SELECT 1 FROM sessions WHERE id = ? AND key = ?'),
  trim: prepare(
    `DELETE FROM messages WHERE session = ?1 AND at < ?2 AND position <=
       (SELECT position FROM messages WHERE session = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?3)`,
  ),
  hit: prepare(
    'SELECT session, key, person FROM messages JOIN sessions ON sessions.id = session WHERE position = ?',
  ),
  before: prepare(
    `SELECT position, role, text, detail, at, turn FROM messages WHERE session = ? AND position <= ?
     ORDER BY position DESC LIMIT ?`,
  ),
  after: prepare(
    `SELECT position, role, text, detail, at, turn FROM messages WHERE session = ? AND position > ?
     ORDER BY position LIMIT ?`,
  ),
  endCurrent: prepare('UPDATE sessions SET is_current = 0 WHERE key = ? AND is_current = 1'),
  makeCurrent: prepare('UPDATE sessions SET is_current = 1 WHERE id = ?'),
});

const prepareDeletion = ({ prepare }: Connection): ((session: SessionId) => boolean) => {
  const parts = ['messages', 'compactions', 'todos'].map((table) =>
    prepare(`DELETE FROM ${table} WHERE session = ?`),
  );
  const self = prepare('DELETE FROM sessions WHERE id = ?');
  return (session) => {
    for (const part of parts) part.run(session);
    return self.run(session) > 0;
  };
};

const isWithin = (row: Row, scope: SessionScope): boolean => {
  switch (scope.type) {
    case 'all':
      return true;
    case 'key':
      return readText(row, 'key') === scope.key;
    case 'own':
      return (
        readText(row, 'session') === scope.session ||
        (!isNull(row, 'person') && readText(row, 'person') === personText(scope.person))
      );
  }
};

/** The last turn of a transcript, unless a summary stands for a part of it. */
export type LastTurn = (session: SessionId) => string | undefined;

/** The rooms of the database that the archive needs besides its own. */
interface ArchiveNeighbours {
  readonly inbox: SqliteInbox;
  readonly indexer: SqliteIndexer;
  readonly current: CurrentSessions;
  readonly recent: RecentMessages;
}

export const createSqliteArchive = (
  context: SqliteContext,
  { inbox, indexer, current, recent }: ArchiveNeighbours,
): ArchiveStore => {
  const { connection, logger } = context;
  const sessions = createRowReader('sessions', logger);
  const messages = createRowReader('messages', logger);
  const statements = prepareStatements(connection);
  const remove = prepareDeletion(connection);
  const search = createSqliteSearch(context);

  const lastTurn: LastTurn = (session) => {
    const row = statements.lastTurn.get(session);
    if (row === undefined) return undefined;
    const turn = readText(row, 'turn');
    return statements.isCut.get(session, turn) === undefined ? turn : undefined;
  };

  const listed = (scope: SessionScope, limit: number): readonly Row[] => {
    switch (scope.type) {
      case 'all':
        return statements.listAll.all(limit);
      case 'key':
        return statements.listKey.all(scope.key, limit);
      case 'own':
        return statements.listOwn.all(personText(scope.person), scope.session, limit);
    }
  };

  return {
    list: async ({ scope, limit }) => sessions.many(listed(scope, limit), 'id', toOverview),
    idle: async ({ usedBefore, limit }) =>
      sessions.many(statements.idle.all(usedBefore, limit), 'id', toOverview),
    find: async (session) => {
      const row = statements.find.get(session);
      return row === undefined ? undefined : sessions.one(row, 'id', toOverview);
    },
    transcript: async (session) => messages.many(statements.transcript.all(session), 'position', toStored),
    lastExchange: async (session) => {
      const turn = lastTurn(session);
      if (turn === undefined) return undefined;
      const rows = statements.ofTurn.all(session, turn);
      return { turn: toTurnId(turn), messages: messages.many(rows, 'position', toModelMessage) };
    },
    takeBack: async (session, turn, entry) =>
      connection.transaction(() => {
        inbox.finish([entry]);
        if (lastTurn(session) !== turn || statements.isRunning.get(turn, '') !== undefined) return false;
        recent.forget(session);
        return statements.deleteTurn.run(session, turn) > 0;
      }),
    resume: async (key, session) =>
      connection.transaction(() => {
        if (statements.exists.get(session, key) === undefined) return false;
        statements.endCurrent.run(key);
        current.forget();
        return statements.makeCurrent.run(session) > 0;
      }),
    delete: async (session) =>
      connection.transaction(() => {
        if (statements.isRunning.get('', session) !== undefined) return false;
        current.forget();
        recent.forget(session);
        return remove(session);
      }),
    totalUsage: async (key = toSessionKey('')) => {
      const row = statements.totalUsage.get(key) ?? {};
      return {
        inputTokens: readInteger(row, 'input_tokens'),
        outputTokens: readInteger(row, 'output_tokens'),
      };
    },
    trim: async (session, { before, keep }) => {
      recent.forget(session);
      return statements.trim.run(session, before, keep);
    },
    search: async (query, options) => {
      indexer.catchUp();
      return search(query, options);
    },
    around: async (position, { scope, before, after }) => {
      const hit = statements.hit.get(position);
      if (hit === undefined || !isWithin(hit, scope)) return undefined;
      const session = toSessionId(readText(hit, 'session'));
      const rows = [
        ...statements.before.all(session, position, before + 1).toReversed(),
        ...statements.after.all(session, position, after),
      ];
      const toPlaced = (row: Row) => ({ ...toStored(row), position: readInteger(row, 'position') });
      return {
        session,
        key: toSessionKey(readText(hit, 'key')),
        messages: messages.many(rows, 'position', toPlaced),
      };
    },
  };
};
