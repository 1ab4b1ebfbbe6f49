import type { DirectoryStore, KnownChat } from '../../core/directory.js';
import { toAccountId, toChatId, toPlatformId } from '../../core/ids.js';
import type { ChatKind } from '../../core/route.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, readInteger, readOneOf, readText } from './row-reader.js';

const kinds: readonly ChatKind[] = ['direct', 'group', 'channel'];

const toKnownChat = (row: Row): KnownChat => ({
  platform: toPlatformId(readText(row, 'platform')),
  account: toAccountId(readText(row, 'account')),
  chat: toChatId(readText(row, 'chat')),
  kind: readOneOf(row, 'kind', kinds),
  title: readText(row, 'title'),
  seenAt: readInteger(row, 'seen_at'),
});

export const createSqliteDirectory = ({ connection, logger }: SqliteContext): DirectoryStore => {
  const reader = createRowReader('chats', logger);
  const upsert = connection.prepare(
    `INSERT INTO chats (platform, account, chat, kind, title, seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, account, chat)
     DO UPDATE SET kind = excluded.kind, title = excluded.title, seen_at = excluded.seen_at`,
  );
  const remove = connection.prepare('DELETE FROM chats WHERE platform = ? AND account = ? AND chat = ?');
  const selectAll = connection.prepare('SELECT * FROM chats ORDER BY platform, account, chat');

  return {
    note: async ({ platform, account, chat, kind, title, seenAt }) => {
      upsert.run(platform, account, chat, kind, title, seenAt);
    },
    forget: async ({ platform, account, chat }) => {
      remove.run(platform, account, chat);
    },
    all: async () => reader.many(selectAll.all(), 'chat', toKnownChat),
  };
};
