import { toSessionId } from '../../core/ids.js';
import type { Connection } from './driver.js';
import { isNull, readInteger, readText } from './row-reader.js';
import { createSearchIndex } from './sqlite-search.js';

/** Indexes what was said before there was an index. Runs inside the migration's transaction. */
export const buildSearch = (connection: Connection): void => {
  const index = createSearchIndex(connection);
  const rows = connection
    .prepare(
      `SELECT position, session, person, text FROM messages JOIN sessions ON sessions.id = session
       WHERE role IN ('user', 'assistant') AND text <> '' ORDER BY position`,
    )
    .all();
  for (const row of rows) {
    index({
      position: readInteger(row, 'position'),
      session: toSessionId(readText(row, 'session')),
      person: isNull(row, 'person') ? null : readText(row, 'person'),
      text: readText(row, 'text'),
    });
  }
};
