import type { Grant, GrantStore } from '../../core/grant.js';
import { toGrantId } from '../../core/ids.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, readInteger, readJson, readText } from './row-reader.js';
import { grantContent } from './stored-shapes.js';

const toGrant = (row: Row): Grant => ({
  id: toGrantId(readText(row, 'id')),
  holder: readText(row, 'holder'),
  grantedAt: readInteger(row, 'granted_at'),
  ...readJson(row, 'content', grantContent),
});

export const createSqliteGrants = ({ connection, logger }: SqliteContext): GrantStore => {
  const reader = createRowReader('grants', logger);
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO grants (id, holder, granted_at, content) VALUES (?, ?, ?, ?)',
  );
  const select = connection.prepare('SELECT * FROM grants ORDER BY rowid');
  const remove = connection.prepare('DELETE FROM grants WHERE id = ?');
  return {
    add: async ({ id, holder, grantedAt, ...content }) => {
      insert.run(id, holder, grantedAt, JSON.stringify(content));
    },
    all: async () => reader.many(select.all(), 'id', toGrant),
    remove: async (id) => remove.run(id) > 0,
  };
};
