import { toQuestionId } from '../../core/ids.js';
import type { KeptQuestion, Question, QuestionStore } from '../../core/question.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, readInteger, readJson, readOptional, readText } from './row-reader.js';
import { type QuestionContent, questionAnswer, questionContent } from './stored-shapes.js';

const toKept = (row: Row): KeptQuestion => ({
  question: {
    id: toQuestionId(readText(row, 'id')),
    key: readText(row, 'key'),
    ...readJson(row, 'content', questionContent),
    askedAt: readInteger(row, 'asked_at'),
    expiresAt: readInteger(row, 'expires_at'),
  },
  ...readOptional(row, 'answer', 'answer', () => readJson(row, 'answer', questionAnswer)),
  isClosed: readInteger(row, 'is_closed') === 1,
});

const toContent = ({ id, key, askedAt, expiresAt, ...content }: Question): QuestionContent => content;

export const createSqliteQuestions = ({
  connection,
  logger,
}: SqliteContext): {
  readonly store: QuestionStore;
  /** Forgets those whose time was over before then. */
  prune(expiredAt: number): void;
} => {
  const reader = createRowReader('questions', logger);
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO questions (id, key, content, asked_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const byKey = connection.prepare('SELECT * FROM questions WHERE key = ?');
  const byId = connection.prepare('SELECT * FROM questions WHERE id = ?');
  const current = connection.prepare(
    'SELECT * FROM questions WHERE is_closed = 0 AND expires_at >= ? ORDER BY id',
  );
  const setAnswer = connection.prepare(
    'UPDATE questions SET answer = ? WHERE id = ? AND answer IS NULL AND is_closed = 0',
  );
  const setClosed = connection.prepare('UPDATE questions SET is_closed = 1 WHERE id = ? AND answer IS NULL');
  const forget = connection.prepare('DELETE FROM questions WHERE expires_at < ?');
  const one = (row: Row | undefined): KeptQuestion | undefined =>
    row === undefined ? undefined : reader.one(row, 'id', toKept);

  return {
    store: {
      open: async (question) =>
        connection.transaction(() => {
          const { id, key, askedAt, expiresAt } = question;
          insert.run(id, key, JSON.stringify(toContent(question)), askedAt, expiresAt);
          return one(byKey.get(key)) ?? { question, isClosed: false };
        }),
      find: async (id) => one(byId.get(id)),
      current: async (now) => reader.many(current.all(now), 'id', toKept),
      answer: async (id, answer) =>
        connection.transaction(() => {
          setAnswer.run(JSON.stringify(answer), id);
          return one(byId.get(id));
        }),
      close: async (id) => {
        setClosed.run(id);
      },
    },
    prune: (expiredAt) => {
      forget.run(expiredAt);
    },
  };
};
