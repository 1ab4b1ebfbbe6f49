import { expect, test } from 'vitest';
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
