import { describe, expect, test } from 'vitest';
import type { ChatMove } from '../../../src/core/chat-move.js';
import { toAccountId, toChatId } from '../../../src/core/ids.js';
import { type OpenHarness, useStores } from './harness.js';
import { origin } from './records.js';

const aMove = (from: string, to: string): ChatMove => ({
  platform: origin.platform,
  account: origin.account,
  from: toChatId(from),
  to: toChatId(to),
});

export const chatMoveSuite = (open: OpenHarness): void => {
  describe('moves of chats', () => {
    const harness = useStores(open);

    test('are kept in their order, also after a restart', async () => {
      const moves = [aMove('a', 'b'), aMove('b', 'c'), aMove('0', 'a')];
      for (const move of moves) await harness.stores.chatMoves.add(move);
      const { chatMoves } = await harness.restart();
      expect(await chatMoves.list()).toStrictEqual(moves);
    });

    test('happen once for each chat of each account', async () => {
      const { chatMoves } = harness.stores;
      const elsewhere = { ...aMove('a', 'x'), account: toAccountId('another') };
      await chatMoves.add(aMove('a', 'b'));
      await chatMoves.add(aMove('a', 'c'));
      await chatMoves.add(elsewhere);
      expect(await chatMoves.list()).toStrictEqual([aMove('a', 'b'), elsewhere]);
    });
  });
};
