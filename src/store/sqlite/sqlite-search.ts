import type { FoundMessage, Person, SessionScope } from '../../core/archive.js';
import { type SessionId, toSessionId, toSessionKey, toTurnId } from '../../core/ids.js';
import { excerptOf } from '../excerpt.js';
import { toIndexText, toPhrases } from '../search-text.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import { createRowReader, readInteger, readOneOf, readText } from './row-reader.js';

/** One word that no word of a text can be, because the index keeps it in a column of its own. */
const hex = (text: string): string => Buffer.from(text).toString('hex');
const sessionWord = (session: SessionId): string => `s${hex(session)}`;
const personWord = (person: string): string => `p${hex(person)}`;

/** As the sessions table keeps it. */
export const personText = ({ platform, user }: Person): string => JSON.stringify([platform, user]);

const quoted = (words: readonly string[]): string => `"${words.join(' ')}"`;

/** Words of which a message of the scope has one; undefined: every message is of the scope. */
type ScopeWords = (scope: SessionScope) => readonly string[] | undefined;

const toMatch = (query: string, words: readonly string[] | undefined): string | undefined => {
  const phrases = toPhrases(query);
  if (phrases.length === 0 || words?.length === 0) return undefined;
  const text = phrases.map((phrase) => `${quoted(phrase.words)}${phrase.isPrefix ? ' *' : ''}`).join(' AND ');
  const match = `text : (${text})`;
  if (words === undefined) return match;
  return `${match} AND scope : (${words.map((word) => quoted([word])).join(' OR ')})`;
};

/** More conversations of one place than anybody looks back on. */
const MAX_KEY_SESSIONS = 500;

const createScopeWords = ({ prepare }: Connection): ScopeWords => {
  const ofKey = prepare('SELECT id FROM sessions WHERE key = ? ORDER BY rowid DESC LIMIT ?');
  return (scope) => {
    switch (scope.type) {
      case 'all':
        return undefined;
      case 'own':
        return [personWord(personText(scope.person)), sessionWord(scope.session)];
      case 'key':
        return ofKey
          .all(scope.key, MAX_KEY_SESSIONS)
          .map((row) => sessionWord(toSessionId(readText(row, 'id'))));
    }
  };
};

const roles: readonly FoundMessage['role'][] = ['user', 'assistant'];

const toFound = (row: Row, query: string): FoundMessage => ({
  position: readInteger(row, 'position'),
  session: toSessionId(readText(row, 'session')),
  key: toSessionKey(readText(row, 'key')),
  turn: toTurnId(readText(row, 'turn')),
  role: readOneOf(row, 'role', roles),
  text: readText(row, 'text'),
  excerpt: excerptOf(readText(row, 'text'), query),
  at: readInteger(row, 'at'),
});

const prepareInsert = (connection: Connection) =>
  connection.prepare('INSERT INTO message_search (rowid, text, scope) VALUES (?, ?, ?)');

const wordsOf = (session: SessionId, person: string | null): string =>
  person === null ? sessionWord(session) : `${sessionWord(session)} ${personWord(person)}`;

export interface IndexedMessage {
  readonly position: number;
  readonly session: SessionId;
  /** See {@link personText}; null for a session that several people share. */
  readonly person: string | null;
  readonly text: string;
}

/** Puts a message into the index; a trigger takes it out when the message goes. */
export const createSearchIndex = (connection: Connection): ((message: IndexedMessage) => void) => {
  const insert = prepareInsert(connection);
  return ({ position, session, person, text }) => {
    const words = toIndexText(text);
    if (words !== '') insert.run(position, words, wordsOf(session, person));
  };
};

export type SearchMessages = (
  query: string,
  options: { readonly scope: SessionScope; readonly limit: number },
) => readonly FoundMessage[];

export const createSqliteSearch = ({ connection, logger }: SqliteContext): SearchMessages => {
  const reader = createRowReader('messages', logger);
  const select = connection.prepare(
    `SELECT position, session, key, turn, role, text, at FROM
       (SELECT rowid AS hit FROM message_search WHERE message_search MATCH ? ORDER BY rowid DESC LIMIT ?)
     JOIN messages ON position = hit JOIN sessions ON sessions.id = session ORDER BY position DESC`,
  );
  const scopeWords = createScopeWords(connection);
  return (query, { scope, limit }) => {
    const match = toMatch(query, scopeWords(scope));
    if (match === undefined) return [];
    return reader.many(select.all(match, limit), 'position', (row) => toFound(row, query));
  };
};
