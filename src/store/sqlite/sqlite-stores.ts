/**
 * Our database. It is one file with one writer: the process that holds the home's lock.
 * 1. The application id is written before anything else, so that a kill at any moment leaves a file we know as ours.
 * 2. Every method is one transaction, so that a kill at any moment leaves each of them done or not done.
 */
import { never, StoreError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { Stores } from '../../core/stores.js';
import { createKeyvNotes } from '../preferences/keyv-notes.js';
import { createKeyvPreferences } from '../preferences/keyv-preferences.js';
import type { SqliteContext } from './context.js';
import { CurrentSessions } from './current-sessions.js';
import { applicationId, readDatabaseOwner } from './database-header.js';
import { type DatabasePlace, watchDatabasePlace } from './database-place.js';
import type { Connection } from './driver.js';
import { createKeyvAdapter } from './keyv-adapter.js';
import { migrate } from './migrations.js';
import { ensurePrivateFile } from './private-file.js';
import { RecentMessages } from './recent-messages.js';
import { createSqliteArchive } from './sqlite-archive.js';
import { createSqliteChatMoves } from './sqlite-chat-moves.js';
import { createSqliteDirectory } from './sqlite-directory.js';
import { createSqliteGrants } from './sqlite-grants.js';
import { createSqliteInbox } from './sqlite-inbox.js';
import { createSqliteIndexer } from './sqlite-indexer.js';
import { createSqliteJobs } from './sqlite-jobs.js';
import { createSqliteMessages } from './sqlite-messages.js';
import { createSqliteOutbox } from './sqlite-outbox.js';
import { createSqlitePageLog } from './sqlite-page-log.js';
import { createSqlitePairings } from './sqlite-pairings.js';
import { createSqliteQuestions } from './sqlite-questions.js';
import { createSqliteSessions, createSqliteTodos } from './sqlite-sessions.js';
import { createSqliteSpace } from './sqlite-space.js';
import { createSqliteTurns } from './sqlite-turns.js';

export interface SqliteStoreOptions {
  /** See `locateDatabase`. Created if missing; its folder is not. */
  readonly file: string;
  /** Epoch ms; stamps what ends, so that `prune` can forget it later. */
  readonly now: () => number;
  /** Told about damaged rows that were left out of a list. */
  readonly logger: Logger;
}

/** For a program that looks into the file meanwhile, such as a backup. */
const busyTimeoutMs = 2000;

/**
 * A checkpoint holds everything up for the time of two flushes to disk, so it comes four times as rarely as by
 * default; the log then takes up to 16 MB.
 */
const checkpointPages = 4000;

/**
 * Opens the database, creating it or bringing its schema up to date. The caller holds the home's lock. Rejects with a
 * StoreError: `foreign` for a file of another program (which is left untouched), `failed` for a newer schema.
 */
export const openSqliteStores = async ({ file, now, logger }: SqliteStoreOptions): Promise<Stores> => {
  const owner = await readDatabaseOwner(file);
  if (owner === 'foreign') throw foreignError(file);
  await ensurePrivateFile(file);
  const { openConnection } = await import('./driver.js');
  let place: DatabasePlace | undefined;
  const connection = openConnection(file, { busyTimeoutMs, guard: () => place?.guard() });
  try {
    // Only a new database can be told to give room back piece by piece.
    if (owner === 'none') connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    if (owner === 'none') connection.exec(`PRAGMA application_id = ${applicationId}`);
    prepareForWriting(connection);
    const { from, to } = migrate(connection);
    if (from === 0) logger.info({}, 'database created');
    else if (from !== to) logger.info({ from, to }, 'database brought up to date');
    place = watchDatabasePlace({ file, now, logger });
    return createStores({ connection, now, logger }, place);
  } catch (error) {
    connection.close();
    throw error;
  }
};

const foreignError = (file: string): StoreError =>
  new StoreError({
    code: 'foreign',
    message: `${file} belongs to another program and was left untouched. Move it away, or set HERMES_HOME to another folder.`,
    retry: never,
  });

const prepareForWriting = (connection: Connection): void => {
  const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal') {
    throw new StoreError({
      code: 'unwritable',
      message: `The file system of ${connection.file} cannot do write-ahead logging. Set HERMES_HOME to a folder on a local disk.`,
      retry: never,
    });
  }
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  // Temporary files would lie in another folder, perhaps on a full or read-only disk.
  connection.exec('PRAGMA temp_store = MEMORY');
};

const createStores = (context: SqliteContext, place: DatabasePlace): Stores => {
  const { connection } = context;
  const inbox = createSqliteInbox(context);
  const outbox = createSqliteOutbox(context);
  const questions = createSqliteQuestions(context);
  const indexer = createSqliteIndexer(context);
  const recent = new RecentMessages();
  const messages = createSqliteMessages(context, indexer, recent);
  const current = new CurrentSessions();
  let isOpen = true;

  return {
    inbox: inbox.store,
    outbox: outbox.store,
    sessions: createSqliteSessions(context, messages, current),
    turns: createSqliteTurns(context, { inbox, messages, outbox }),
    todos: createSqliteTodos(context),
    pageLog: createSqlitePageLog(context),
    pairings: createSqlitePairings(context),
    chatMoves: createSqliteChatMoves(context),
    archive: createSqliteArchive(context, { inbox, indexer, current, recent }),
    directory: createSqliteDirectory(context),
    preferences: createKeyvPreferences(createKeyvAdapter(context)),
    notes: createKeyvNotes(createKeyvAdapter(context)),
    questions: questions.store,
    grants: createSqliteGrants(context),
    jobs: createSqliteJobs(context),
    maintenance: {
      prune: async ({ inboxAt, outboxAt }) =>
        connection.transaction(() => {
          inbox.prune(inboxAt);
          outbox.prune(outboxAt);
          questions.prune(inboxAt);
        }),
      ...createSqliteSpace(context),
      problem: async () => place.problem()?.userText,
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      indexer.stop();
      closeTidily(context);
    },
  };
};

const closeTidily = ({ connection, logger }: SqliteContext): void => {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Nothing is lost: the next start reads the log that stays beside the file.
    logger.warn({ error }, 'write-ahead log could not be merged into the database');
  }
  connection.close();
};
