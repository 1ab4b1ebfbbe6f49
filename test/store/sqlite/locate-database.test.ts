import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { locateDatabase } from '../../../src/store/sqlite/locate-database.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

const makeOurs = async (name: string): Promise<void> => {
  const { logger } = createLogRecorder();
  const stores = await openSqliteStores({ file: home.file(name), now: () => 0, logger });
  await stores.close();
};

/** A database as other programs make them, in WAL mode and with rows. */
const makeForeign = (name: string): void => {
  const connection = openConnection(home.file(name), { busyTimeoutMs: 0 });
  connection.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE sessions (id TEXT); INSERT INTO sessions VALUES (1)',
  );
  connection.close();
};

test('a home without a database has state.db', async () => {
  expect(await locateDatabase(home.path)).toBe(home.file('state.db'));
});

test('an empty state.db is ours', async () => {
  writeFileSync(home.file('state.db'), '');
  expect(await locateDatabase(home.path)).toBe(home.file('state.db'));
});

test('our state.db is found again', async () => {
  await makeOurs('state.db');
  expect(await locateDatabase(home.path)).toBe(home.file('state.db'));
});

test("another program's state.db is neither used nor touched", async () => {
  makeForeign('state.db');
  const before = readFileSync(home.file('state.db'));
  expect(await locateDatabase(home.path)).toBe(home.file('gateway.db'));
  expect(readFileSync(home.file('state.db')).equals(before)).toBe(true);
  expect(readdirSync(home.path)).toEqual(['state.db']);
});

test.each([
  ['text', () => writeFileSync(home.file('state.db'), 'notes '.repeat(100))],
  ['a folder', () => mkdirSync(home.file('state.db'))],
  [
    'a file cut off in its header',
    async () => {
      await makeOurs('state.db');
      truncateSync(home.file('state.db'), 80);
    },
  ],
])('a state.db that is %s is not ours', async (_what, make) => {
  await make();
  expect(await locateDatabase(home.path)).toBe(home.file('gateway.db'));
});

test("our gateway.db stays ours when the other program's file goes away", async () => {
  await makeOurs('gateway.db');
  expect(await locateDatabase(home.path)).toBe(home.file('gateway.db'));
});

test('a foreign gateway.db does not keep us from an absent state.db', async () => {
  makeForeign('gateway.db');
  expect(await locateDatabase(home.path)).toBe(home.file('state.db'));
});
