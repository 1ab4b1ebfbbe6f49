import { toMessageId } from '../../core/ids.js';
import type { PageEvent, PageLogStore } from '../../core/page-log.js';
import { toJson } from '../json-text.js';
import { pageTitleOf } from '../page-title.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import {
  createRowReader,
  isNull,
  readInteger,
  readJson,
  readOneOf,
  readOptional,
  readText,
} from './row-reader.js';
import { pageMedia, pageSteps } from './stored-shapes.js';

const roles: readonly PageEvent['role'][] = ['user', 'assistant'];

const toPageEvent = (row: Row): PageEvent => ({
  sequence: readInteger(row, 'sequence'),
  session: readText(row, 'session'),
  type: 'message',
  message: toMessageId(readText(row, 'message')),
  role: readOneOf(row, 'role', roles),
  text: readText(row, 'text'),
  ...readOptional(row, 'reply_to', 'replyTo', toMessageId),
  ...(isNull(row, 'media') ? {} : { media: readJson(row, 'media', pageMedia) }),
  ...(isNull(row, 'steps') ? {} : { steps: readJson(row, 'steps', pageSteps) }),
  ...(readInteger(row, 'is_failure') === 1 && { isFailure: true }),
  at: readInteger(row, 'at'),
});

const prepareStatements = ({ prepare }: Connection) => ({
  selectKnown: prepare('SELECT * FROM page_log WHERE session = ? AND message = ?'),
  insert: prepare(
    `INSERT INTO page_log (session, message, role, text, reply_to, at, media, steps, is_failure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
  ),
  selectSince: prepare('SELECT * FROM page_log WHERE session = ? AND sequence > ? ORDER BY sequence'),
  selectNewest: prepare('SELECT * FROM page_log WHERE session = ? ORDER BY sequence DESC LIMIT ?'),
  selectBefore: prepare(
    'SELECT * FROM page_log WHERE session = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
  ),
  selectSessions: prepare(
    `SELECT first.sequence, first.session, first.text, last.at
     FROM (SELECT min(sequence) AS first, max(sequence) AS last FROM page_log GROUP BY session
           ORDER BY last DESC LIMIT ?) AS span
     JOIN page_log AS first ON first.sequence = span.first
     JOIN page_log AS last ON last.sequence = span.last
     ORDER BY span.last DESC`,
  ),
  remove: prepare('DELETE FROM page_log WHERE session = ? AND sequence = ? RETURNING sequence, media'),
  isShown: prepare('SELECT 1 FROM page_log WHERE media IS NOT NULL AND instr(media, ?) > 0 LIMIT 1'),
  selectOld: prepare('SELECT session, max(at) AS at FROM page_log GROUP BY session HAVING min(at) < ?'),
  trim: prepare(
    `DELETE FROM page_log WHERE session = ?1 AND at < ?2 AND sequence <=
       (SELECT sequence FROM page_log WHERE session = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?3)`,
  ),
});

export const createSqlitePageLog = ({ connection, logger }: SqliteContext): PageLogStore => {
  const reader = createRowReader('page_log', logger);
  const statements = prepareStatements(connection);

  return {
    append: async ({ session, message, role, text, replyTo, at, media, steps, isFailure }) =>
      connection.transaction(() => {
        // Not by ON CONFLICT: an insert that does nothing still uses up a number.
        const row =
          statements.selectKnown.get(session, message) ??
          statements.insert.get(
            session,
            message,
            role,
            text,
            replyTo ?? null,
            at,
            media === undefined ? null : toJson(media),
            steps === undefined ? null : toJson(steps),
            isFailure === true ? 1 : 0,
          );
        return reader.one(row ?? {}, 'sequence', toPageEvent);
      }),
    since: async (session, sequence) =>
      reader.many(statements.selectSince.all(session, sequence), 'sequence', toPageEvent),
    history: async (session, { limit, before }) => {
      const rows =
        before === undefined
          ? statements.selectNewest.all(session, limit)
          : statements.selectBefore.all(session, before, limit);
      return reader.many(rows.toReversed(), 'sequence', toPageEvent);
    },
    sessions: async (limit) =>
      reader.many(statements.selectSessions.all(limit), 'sequence', (row) => ({
        session: readText(row, 'session'),
        title: pageTitleOf(readText(row, 'text')),
        updatedAt: readInteger(row, 'at'),
      })),
    forget: async (session, sequences) =>
      connection.transaction(() => {
        const rows = sequences
          .map((sequence) => statements.remove.get(session, sequence))
          .filter((row) => row !== undefined);
        const withMedia = rows.filter((row) => !isNull(row, 'media'));
        return reader
          .many(withMedia, 'sequence', (row) => readJson(row, 'media', pageMedia))
          .flat()
          .filter(({ id }) => statements.isShown.get(JSON.stringify(id)) === undefined);
      }),
    hasFile: async (id) => statements.isShown.get(JSON.stringify(id)) !== undefined,
    trim: async ({ before, keep }) =>
      connection.transaction(() =>
        statements.selectOld.all(before).reduce((count, row) => {
          const left = readInteger(row, 'at') < before ? 0 : keep;
          return count + statements.trim.run(readText(row, 'session'), before, left);
        }, 0),
      ),
  };
};
