import type { DirectoryStore, KnownChat } from '../../core/directory.js';
import { copyOf } from './copy.js';

const keyOf = ({ platform, account, chat }: Pick<KnownChat, 'platform' | 'account' | 'chat'>): string =>
  JSON.stringify([platform, account, chat]);

export const createMemoryDirectory = (): DirectoryStore => {
  const chats = new Map<string, KnownChat>();
  return {
    note: async (chat) => {
      chats.set(keyOf(chat), copyOf(chat));
    },
    forget: async (chat) => {
      chats.delete(keyOf(chat));
    },
    all: async () => [...chats].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, chat]) => chat),
  };
};
