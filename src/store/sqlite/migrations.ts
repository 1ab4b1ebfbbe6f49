/**
 * The schema, as the steps that led to it. A step that was released is never changed: the next change is a new step
 * at the end. The database's `user_version` is the number of steps it has seen.
 */
import { never, StoreError } from '../../core/errors.js';
import { buildSearch } from './build-search.js';
import type { Connection } from './driver.js';

/** SQL, or what SQL alone cannot do. */
export type MigrationStep = string | ((connection: Connection) => void);

const steps: readonly MigrationStep[] = [
  `
  CREATE TABLE inbox (
    position    INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    dedupe_key  TEXT NOT NULL UNIQUE,
    event       TEXT,                  -- JSON of an InboundEvent; null once finished
    turn        TEXT,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX inbox_open ON inbox (turn) WHERE finished_at IS NULL;
  CREATE INDEX inbox_finished ON inbox (finished_at) WHERE finished_at IS NOT NULL;

  CREATE TABLE sessions (
    id         TEXT NOT NULL PRIMARY KEY,
    key        TEXT NOT NULL,
    system     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    is_current INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX sessions_current ON sessions (key) WHERE is_current = 1;

  -- Only turns that run: the end of a turn deletes its row.
  CREATE TABLE turns (
    position        INTEGER PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    session         TEXT NOT NULL REFERENCES sessions (id),
    session_key     TEXT NOT NULL,
    caller          TEXT NOT NULL,     -- JSON of a Caller
    reply_to        TEXT,
    correlation     TEXT NOT NULL,
    started_at      INTEGER NOT NULL,
    attempts        INTEGER NOT NULL,
    has_preview     INTEGER NOT NULL,
    preview_message TEXT
  ) STRICT;

  CREATE TABLE messages (
    position INTEGER PRIMARY KEY,
    session  TEXT NOT NULL REFERENCES sessions (id),
    turn     TEXT NOT NULL,
    role     TEXT NOT NULL,
    text     TEXT NOT NULL,
    detail   TEXT                      -- JSON of what else the message has; null if nothing
  ) STRICT;
  CREATE INDEX messages_by_session ON messages (session, position);

  CREATE TABLE begun_calls (
    turn     TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call     TEXT NOT NULL,
    category TEXT NOT NULL,
    PRIMARY KEY (turn, call)
  ) STRICT, WITHOUT ROWID;

  -- The order is (position, sub): repeats of a delivery have its position and the next subs.
  CREATE TABLE outbox (
    arrival         INTEGER PRIMARY KEY,
    position        INTEGER NOT NULL,
    sub             INTEGER NOT NULL,
    id              TEXT NOT NULL UNIQUE,
    idempotency_key TEXT NOT NULL UNIQUE,
    content         TEXT NOT NULL,     -- JSON of what never changes of a Delivery
    state           TEXT NOT NULL,
    attempts        INTEGER NOT NULL,
    is_repeat       INTEGER NOT NULL,
    is_replaced     INTEGER NOT NULL,  -- 1: unknown, and repeats took its place
    not_before      INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    receipt         TEXT,              -- JSON of a Receipt
    error           TEXT,
    ended_at        INTEGER
  ) STRICT;
  CREATE INDEX outbox_open ON outbox (position, sub) WHERE ended_at IS NULL;
  CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX outbox_trouble ON outbox (state) WHERE state IN ('failed', 'unknown');

  CREATE TABLE todos (
    session TEXT NOT NULL PRIMARY KEY,
    items   TEXT NOT NULL              -- JSON of TodoItems
  ) STRICT;

  -- AUTOINCREMENT: a page that saw a number must never see it stand for another event.
  CREATE TABLE page_log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    session  TEXT NOT NULL,
    message  TEXT NOT NULL,
    role     TEXT NOT NULL,
    text     TEXT NOT NULL,
    reply_to TEXT,
    at       INTEGER NOT NULL,
    UNIQUE (session, message)
  ) STRICT;
  CREATE INDEX page_log_by_session ON page_log (session, sequence);
  `,
  `
  CREATE TABLE pairing_requests (
    platform     TEXT NOT NULL,
    user         TEXT NOT NULL,
    display_name TEXT NOT NULL,
    route        TEXT NOT NULL,        -- JSON of a Route
    code_hash    TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    PRIMARY KEY (platform, user)
  ) STRICT;

  CREATE TABLE pairing_failures (
    platform     TEXT NOT NULL PRIMARY KEY,
    failures     INTEGER NOT NULL,
    failed_at    INTEGER NOT NULL,
    locked_until INTEGER NOT NULL      -- 0: not locked
  ) STRICT;

  CREATE TABLE pairings (
    platform     TEXT NOT NULL,
    user         TEXT NOT NULL,
    display_name TEXT NOT NULL,
    approved_at  INTEGER NOT NULL,
    PRIMARY KEY (platform, user)
  ) STRICT;
  `,
  `
  -- One for a session: what its messages up to a position say, in short.
  CREATE TABLE compactions (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id),
    up_to   INTEGER NOT NULL,
    summary TEXT NOT NULL,
    at      INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE sessions ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Chats that go on under another id.
  CREATE TABLE chat_moves (
    platform  TEXT NOT NULL,
    account   TEXT NOT NULL,
    from_chat TEXT NOT NULL,
    to_chat   TEXT NOT NULL,
    PRIMARY KEY (platform, account, from_chat)
  ) STRICT;
  `,
  `
  CREATE TABLE chats (
    platform TEXT NOT NULL,
    account  TEXT NOT NULL,
    chat     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    title    TEXT NOT NULL,
    seen_at  INTEGER NOT NULL,
    PRIMARY KEY (platform, account, chat)
  ) STRICT;

  -- Keyv's: keys begin with its namespace and a colon, values are its JSON.
  CREATE TABLE preferences (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE messages ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN person TEXT;   -- JSON of [platform, user]; null if several people share it

  -- Words of what people and models said, and of whose it is. The texts themselves are in messages.
  CREATE VIRTUAL TABLE message_search USING fts5 (
    text, scope, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
  CREATE TRIGGER messages_forgotten AFTER DELETE ON messages BEGIN
    DELETE FROM message_search WHERE rowid = old.position;
  END;
  `,
  buildSearch,
  `
  ALTER TABLE page_log ADD COLUMN media TEXT;  -- JSON of PageMedia; null if there is none
  `,
  `
  CREATE INDEX sessions_by_key ON sessions (key);
  CREATE INDEX page_log_media ON page_log (sequence) WHERE media IS NOT NULL;
  `,
  `
  CREATE TABLE questions (
    id         TEXT NOT NULL PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,
    content    TEXT NOT NULL,               -- JSON of a Question without what has a column
    asked_at   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    answer     TEXT,                        -- JSON of a QuestionAnswer; null: none yet
    is_closed  INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,
  `
  -- The message up to which words are in the index; the rest follows in batches.
  CREATE TABLE search_progress (up_to INTEGER NOT NULL) STRICT;
  INSERT INTO search_progress SELECT ifnull(max(position), 0) FROM messages;
  -- The positions of the newest messages are given again when these are gone.
  CREATE TRIGGER search_steps_back AFTER DELETE ON messages
  WHEN (SELECT up_to FROM search_progress) > ifnull((SELECT max(position) FROM messages), 0) BEGIN
    UPDATE search_progress SET up_to = ifnull((SELECT max(position) FROM messages), 0);
  END;
  `,
  `
  ALTER TABLE sessions ADD COLUMN tools TEXT;  -- JSON of tool names; null: begun before they were kept
  `,
  `
  ALTER TABLE page_log ADD COLUMN steps TEXT;  -- JSON of PageStep; null if there is none
  ALTER TABLE page_log ADD COLUMN is_failure INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE jobs (
    id       TEXT NOT NULL PRIMARY KEY,
    due_at   INTEGER,           -- null: not by itself
    revision INTEGER NOT NULL,
    content  TEXT NOT NULL      -- JSON of a Job
  ) STRICT;
  CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE job_runs (
    id         TEXT NOT NULL PRIMARY KEY,
    job        TEXT NOT NULL,
    is_open    INTEGER NOT NULL,
    owner      TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    content    TEXT NOT NULL    -- JSON of a JobRun
  ) STRICT;
  CREATE INDEX job_runs_by_job ON job_runs (job);
  CREATE INDEX job_runs_open ON job_runs (job) WHERE is_open = 1;
  `,
  `
  -- 2: over but for its delivery.
  DROP INDEX job_runs_open;
  CREATE INDEX job_runs_open ON job_runs (job) WHERE is_open > 0;
  `,
  `
  CREATE TABLE grants (
    id         TEXT NOT NULL PRIMARY KEY,
    holder     TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    content    TEXT NOT NULL    -- JSON of a Grant
  ) STRICT;
  `,
];

/** Brings the database up to the newest schema. A failing step leaves it at the last one that succeeded. */
export const migrate = (
  connection: Connection,
  all: readonly MigrationStep[] = steps,
): { readonly from: number; readonly to: number } => {
  const from = Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);
  if (from > all.length) {
    throw new StoreError({
      code: 'failed',
      message:
        `${connection.file} was written by a newer hermes-gateway (schema ${from}, this version knows ${all.length}). ` +
        'Install that version again, or set HERMES_HOME to another folder.',
      retry: never,
    });
  }
  for (const [index, step] of all.entries()) {
    if (index < from) continue;
    connection.transaction(() => {
      if (typeof step === 'string') connection.exec(step);
      else step(connection);
      connection.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
  return { from, to: all.length };
};
