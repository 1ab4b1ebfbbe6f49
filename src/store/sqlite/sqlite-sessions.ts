import { toSessionId, toSessionKey } from '../../core/ids.js';
import type { SessionRecord, SessionStore, SessionUsage } from '../../core/stores.js';
import type { TodoStore } from '../../core/tool.js';
import { toJson } from '../json-text.js';
import type { SqliteContext } from './context.js';
import type { CurrentSessions } from './current-sessions.js';
import type { Row } from './driver.js';
import { createRowReader, isNull, readInteger, readJson, readText } from './row-reader.js';
import type { SqliteMessages } from './sqlite-messages.js';
import { personText } from './sqlite-search.js';
import { storedPerson, todoItems, toolNames } from './stored-shapes.js';

const toSessionRecord = (row: Row): SessionRecord => ({
  id: toSessionId(readText(row, 'id')),
  key: toSessionKey(readText(row, 'key')),
  system: readText(row, 'system'),
  ...(isNull(row, 'tools') ? {} : { tools: readJson(row, 'tools', toolNames) }),
  createdAt: readInteger(row, 'created_at'),
  ...(isNull(row, 'person') ? {} : { person: readJson(row, 'person', storedPerson) }),
});

const noUsage: SessionUsage = { turns: 0, inputTokens: 0, outputTokens: 0 };

const toUsage = (row: Row): SessionUsage => ({
  turns: readInteger(row, 'turns'),
  inputTokens: readInteger(row, 'input_tokens'),
  outputTokens: readInteger(row, 'output_tokens'),
});

export const createSqliteSessions = (
  { connection, logger }: SqliteContext,
  messages: SqliteMessages,
  known: CurrentSessions,
): SessionStore => {
  const reader = createRowReader('sessions', logger);
  const selectCurrent = connection.prepare(
    'SELECT id, key, system, tools, created_at, person FROM sessions WHERE key = ? AND is_current = 1',
  );
  const endCurrent = connection.prepare(
    'UPDATE sessions SET is_current = 0 WHERE key = ? AND is_current = 1',
  );
  const insert = connection.prepare(
    'INSERT INTO sessions (id, key, system, tools, created_at, person, is_current) VALUES (?, ?, ?, ?, ?, ?, 1)',
  );

  const selectUsage = connection.prepare(
    'SELECT id, turns, input_tokens, output_tokens FROM sessions WHERE id = ?',
  );

  return {
    current: async (key) => {
      const before = known.get(key);
      if (before !== undefined) return before;
      const row = selectCurrent.get(key);
      if (row === undefined) return undefined;
      const record = reader.one(row, 'id', toSessionRecord);
      known.set(record);
      return record;
    },
    begin: async ({ id, key, system, tools, createdAt, person }) =>
      connection.transaction(() => {
        known.forget(key);
        endCurrent.run(key);
        const toolText = tools === undefined ? null : toJson(tools);
        insert.run(id, key, system, toolText, createdAt, person === undefined ? null : personText(person));
      }),
    end: async (key) => {
      known.forget(key);
      endCurrent.run(key);
    },
    messages: async (session, limit) => messages.newest(session, limit),
    compact: async (session, compaction) => messages.compact(session, compaction),
    usage: async (session) => {
      const row = selectUsage.get(session);
      return row === undefined ? noUsage : reader.one(row, 'id', toUsage);
    },
  };
};

export const createSqliteTodos = ({ connection, logger }: SqliteContext): TodoStore => {
  const reader = createRowReader('todos', logger);
  const select = connection.prepare('SELECT session, items FROM todos WHERE session = ?');
  const upsert = connection.prepare(
    'INSERT INTO todos (session, items) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET items = excluded.items',
  );

  return {
    load: async (session) => {
      const row = select.get(session);
      return row === undefined ? [] : reader.one(row, 'session', (one) => readJson(one, 'items', todoItems));
    },
    save: async (session, items) => {
      upsert.run(session, toJson(items));
    },
  };
};
