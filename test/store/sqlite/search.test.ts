import { expect, test } from 'vitest';
import { toInboxId } from '../../../src/core/ids.js';
import type { Stores } from '../../../src/core/stores.js';
import { buildSearch } from '../../../src/store/sqlite/build-search.js';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { aSession, assistant, aTurn, user } from '../../contracts/store/records.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();
const open = (): Promise<Stores> =>
  openSqliteStores({ file: home.file('state.db'), now: () => 0, logger: createLogRecorder().logger });

test('what was said before there was an index is found once it is built', async () => {
  const before = await open();
  await before.sessions.begin(aSession('s1'));
  const turn = aTurn('t1');
  await before.turns.begin(turn, { entries: [], messages: [user('旧消息 from long ago')] });
  await before.turns.end(turn.id, { message: assistant(''), deliveries: [] });
  expect(await before.archive.search('消息', { scope: { type: 'all' }, limit: 5 })).toHaveLength(1);
  await before.close();
  const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  connection.exec('DELETE FROM message_search');
  connection.close();
  const empty = await open();
  expect(await empty.archive.search('消息', { scope: { type: 'all' }, limit: 5 })).toEqual([]);
  await empty.close();
  const again = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  again.transaction(() => buildSearch(again));
  again.close();
  const stores = await open();
  const found = await stores.archive.search('消息 long', { scope: { type: 'all' }, limit: 5 });
  expect(found.map(({ text }) => text)).toEqual(['旧消息 from long ago']);
  await stores.close();
});

const everything = { scope: { type: 'all' }, limit: 500 } as const;

const say = async (stores: Stores, name: string, text: string): Promise<void> => {
  const turn = aTurn(name);
  await stores.turns.begin(turn, { entries: [], messages: [user(text)] });
  await stores.turns.end(turn.id, { message: assistant(`heard ${text}`), deliveries: [] });
};

const countFound = async ({ archive }: Stores, query: string): Promise<number> =>
  (await archive.search(query, everything)).length;

test('what was said is found at once, however much of it there is', async () => {
  const stores = await open();
  await stores.sessions.begin(aSession('s1'));
  for (let count = 1; count <= 150; count += 1) {
    await say(stores, `t${count}`, `word number${count}`);
    if (count % 25 === 0) expect(await countFound(stores, 'word')).toBe(2 * count);
  }
  expect(await countFound(stores, 'number77')).toBe(2);
  await stores.close();
});

test('what was not yet indexed at a stop is found after it', async () => {
  const before = await open();
  await before.sessions.begin(aSession('s1'));
  for (let count = 1; count <= 40; count += 1) await say(before, `t${count}`, `word ${count}`);
  await before.close();
  const after = await open();
  expect(await countFound(after, 'word')).toBe(80);
  await after.close();
});

test('a message in the place of one that was taken back is found, and that one is not', async () => {
  const stores = await open();
  await stores.sessions.begin(aSession('s1'));
  await say(stores, 't1', 'first');
  await say(stores, 't2', 'mistaken');
  expect(await countFound(stores, 'mistaken')).toBe(2);
  await stores.archive.takeBack(aSession('s1').id, aTurn('t2').id, toInboxId('i1'));
  await say(stores, 't3', 'better');
  expect(await countFound(stores, 'mistaken')).toBe(0);
  expect(await countFound(stores, 'better')).toBe(2);
  await stores.archive.delete(aSession('s1').id);
  await stores.sessions.begin(aSession('s2'));
  const turn = { ...aTurn('t4'), session: aSession('s2').id };
  await stores.turns.begin(turn, { entries: [], messages: [user('afresh')] });
  expect(await countFound(stores, 'afresh')).toBe(1);
  expect(await countFound(stores, 'better')).toBe(0);
  await stores.close();
});

test('the file shrinks by what was deleted, a piece at a time', async () => {
  const stores = await open();
  await stores.sessions.begin(aSession('s1'));
  for (let count = 0; count < 20; count += 1) {
    const turn = aTurn(`t${count}`);
    await stores.turns.begin(turn, { entries: [], messages: [user('x'.repeat(1_000_000))] });
    await stores.turns.end(turn.id, { deliveries: [] });
  }
  const full = await stores.maintenance.sizeBytes();
  expect(full).toBeGreaterThan(20_000_000);
  await stores.archive.delete(aSession('s1').id);
  expect(await stores.maintenance.sizeBytes()).toBeLessThan(1_000_000);
  let pieces = 0;
  while (await stores.maintenance.shrink()) pieces += 1;
  expect(pieces).toBeGreaterThan(1);
  await stores.close();
  const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  expect(Number(connection.prepare('PRAGMA page_count').get()?.['page_count']) * 4096).toBeLessThan(
    1_000_000,
  );
  connection.close();
});
