import type { DirectoryStore, KnownChat } from '../../core/directory.js';
import { copyOf } from './copy.js';

export const createMemoryDirectory = (): DirectoryStore => {
  const chats = new Map<string, KnownChat>();
  return {
    note: async (chat) => {
      chats.set(JSON.stringify([chat.platform, chat.account, chat.chat]), copyOf(chat));
    },
    all: async () => [...chats].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, chat]) => chat),
  };
};
