import type { ChatMove, ChatMoveStore } from '../../core/chat-move.js';
import { copyOf } from './copy.js';

export const createMemoryChatMoves = (): ChatMoveStore => {
  const moves = new Map<string, ChatMove>();
  return {
    add: async (move) => {
      const key = JSON.stringify([move.platform, move.account, move.from]);
      if (!moves.has(key)) moves.set(key, copyOf(move));
    },
    list: async () => [...moves.values()],
  };
};
