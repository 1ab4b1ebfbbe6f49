import { describe, expect, test } from 'vitest';
import { toAccountId, toChatId, toPlatformId } from '../../src/core/ids.js';
import type { Route } from '../../src/core/route.js';
import { ChatMoves } from '../../src/gateway/chat-moves.js';
import { createMemoryStores } from '../../src/store/index.js';
import { MemoryLogger } from '../fakes/memory-logger.js';

const where = { platform: toPlatformId('fake'), account: toAccountId('bot') };
const place = (chat: string): Route => ({ ...where, chat: toChatId(chat) });
const move = (from: string, to: string) => ({ ...where, from: toChatId(from), to: toChatId(to) });

const create = async (store = createMemoryStores().chatMoves) => {
  const moves = new ChatMoves({ store, persist: (write) => write(), logger: new MemoryLogger() });
  await moves.load();
  return { moves, store };
};

describe('a chat that moved', () => {
  test('has its newest and its first id, and all between, also after a restart', async () => {
    const { moves, store } = await create();
    expect(await moves.record(move('a', 'b'))).toBe(true);
    expect(await moves.record(move('b', 'c'))).toBe(true);
    for (const known of [moves, (await create(store)).moves]) {
      for (const chat of ['a', 'b', 'c']) {
        expect(known.current(place(chat)).chat).toBe('c');
        expect(known.first(place(chat)).chat).toBe('a');
        expect(known.names(place(chat))).toEqual(['a', 'b', 'c']);
      }
    }
  });

  test('is told apart from a chat of the same id elsewhere', async () => {
    const { moves } = await create();
    await moves.record(move('a', 'b'));
    const elsewhere = { ...place('a'), account: toAccountId('other') };
    expect(moves.current(elsewhere)).toBe(elsewhere);
    expect(moves.names(place('x'))).toEqual(['x']);
  });

  test('moves once, and never in a circle', async () => {
    const { moves, store } = await create();
    await moves.record(move('a', 'b'));
    expect(await moves.record(move('a', 'b'))).toBe(true);
    expect(await moves.record(move('a', 'c'))).toBe(false);
    expect(await moves.record(move('b', 'a'))).toBe(false);
    expect(await moves.record(move('d', 'd'))).toBe(false);
    expect(await store.list()).toEqual([move('a', 'b')]);
  });
});
