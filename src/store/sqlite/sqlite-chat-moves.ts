import type { ChatMove, ChatMoveStore } from '../../core/chat-move.js';
import { toAccountId, toChatId, toPlatformId } from '../../core/ids.js';
import type { SqliteContext } from './context.js';
import type { Row } from './driver.js';
import { createRowReader, readText } from './row-reader.js';

const toMove = (row: Row): ChatMove => ({
  platform: toPlatformId(readText(row, 'platform')),
  account: toAccountId(readText(row, 'account')),
  from: toChatId(readText(row, 'from_chat')),
  to: toChatId(readText(row, 'to_chat')),
});

export const createSqliteChatMoves = ({ connection, logger }: SqliteContext): ChatMoveStore => {
  const reader = createRowReader('chat_moves', logger);
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO chat_moves (platform, account, from_chat, to_chat) VALUES (?, ?, ?, ?)',
  );
  const selectAll = connection.prepare('SELECT * FROM chat_moves ORDER BY rowid');
  return {
    add: async ({ platform, account, from, to }) => {
      insert.run(platform, account, from, to);
    },
    list: async () => reader.many(selectAll.all(), 'from_chat', toMove),
  };
};
