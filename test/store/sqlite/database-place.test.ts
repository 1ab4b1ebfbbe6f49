import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/core/errors.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { anEntry } from '../../contracts/store/records.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

const open = async () => {
  const { logger, lines } = createLogRecorder();
  let at = 0;
  const file = home.file('state.db');
  const stores = await openSqliteStores({ file, now: () => at, logger });
  const later = () => {
    at += 1_000;
  };
  return { stores, file, lines, later };
};

test('a database that is deleted while it is in use takes nothing more, and says so', async () => {
  const { stores, file, lines, later } = await open();
  await stores.inbox.accept([anEntry('a')]);
  expect(await stores.maintenance.problem()).toBeUndefined();
  unlinkSync(file);
  later();
  await expect(stores.inbox.accept([anEntry('b')])).rejects.toMatchObject({ code: 'unwritable' });
  await expect(stores.inbox.accept([anEntry('c')])).rejects.toBeInstanceOf(StoreError);
  expect(await stores.maintenance.problem()).toContain('deleted or moved away');
  expect(lines.filter(({ message }) => message === 'database is not where it was')).toHaveLength(1);
  await stores.close();
});

test('one that is moved away works again when it is put back', async () => {
  const { stores, file, lines, later } = await open();
  renameSync(file, home.file('elsewhere.db'));
  later();
  await expect(stores.inbox.accept([anEntry('a')])).rejects.toMatchObject({ code: 'unwritable' });
  renameSync(home.file('elsewhere.db'), file);
  later();
  expect(await stores.inbox.accept([anEntry('a')])).toEqual(['stored']);
  expect(await stores.maintenance.problem()).toBeUndefined();
  expect(lines.map(({ message }) => message)).toContain('database is back where it was');
  await stores.close();
});

test('one that another file took the place of is not written to', async () => {
  const { stores, file, later } = await open();
  renameSync(file, home.file('elsewhere.db'));
  writeFileSync(file, 'a backup');
  later();
  await expect(stores.inbox.accept([anEntry('a')])).rejects.toMatchObject({ code: 'unwritable' });
  expect(await stores.maintenance.problem()).toContain('start me again');
  await stores.close();
});
