import { beforeEach, expect, test } from 'vitest';
import type { DirectoryStore } from '../../../src/core/directory.js';
import { Directory } from '../../../src/gateway/directory/directory.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aMessage } from '../../fakes/builders.js';

const hourMs = 3_600_000;

let store: DirectoryStore;
let writes = 0;

beforeEach(() => {
  writes = 0;
  const kept = createMemoryStores().directory;
  store = {
    ...kept,
    note: async (chat) => {
      writes += 1;
      await kept.note(chat);
    },
  };
});

const open = async (): Promise<Directory> => {
  const directory = new Directory({ store, persist: (write) => write() });
  await directory.load();
  return directory;
};

const seen = (chat: string, at: number) => ({ ...aMessage({ chat }), receivedAt: at });
const ids = ({ chats }: Directory): readonly string[] => chats.map(({ chat }) => chat);

test('has the latest seen first, also after a restart', async () => {
  const directory = await open();
  await directory.note(seen('a', 1));
  await directory.note(seen('b', 2));
  await directory.note(seen('c', 3));
  await directory.note(seen('a', 4 + hourMs));
  expect(ids(directory)).toEqual(['a', 'c', 'b']);
  expect(ids(await open())).toEqual(['a', 'c', 'b']);
});

test('is written when a chat is new or was not seen for an hour, not with every message', async () => {
  const directory = await open();
  for (const at of [0, 1, hourMs - 1]) await directory.note(seen('a', at));
  expect(writes).toBe(1);
  await directory.note(seen('a', hourMs));
  expect(writes).toBe(2);
});

test('forgets those that were silent longest when anybody may write and there is no end of them', async () => {
  const directory = await open();
  await directory.note(seen('first', 0));
  for (let index = 0; index < 10_000; index += 1) {
    if (index === 5_000) await directory.note(seen('first', 2 * hourMs));
    await directory.note(seen(`c${index}`, 2 * hourMs + index));
  }
  for (const one of [directory, await open()]) {
    expect(one.chats).toHaveLength(10_000);
    const known = new Set(ids(one));
    expect([known.has('first'), known.has('c0'), known.has('c1'), known.has('c9999')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  }
});
