import { expect, test } from 'vitest';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { unfinishedInbox } from '../../contracts/store/records.js';
import { startChild } from './child.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

/** Lets a process accept until it has told of `batches`, kills it, and gives every name it said was stored. */
const acceptAndKill = async (file: string, batches: number): Promise<string[]> => {
  const child = startChild(new URL('./accept-until-killed.ts', import.meta.url), file);
  const told: string[] = [];
  let killed: Promise<void> | undefined;
  for await (const line of child.lines) {
    if (!line.endsWith('.')) continue;
    told.push(...line.slice(0, -1).split(' '));
    if (told.length >= batches * 3) killed ??= child.kill();
  }
  await killed;
  return told;
};

test.each([1, 500])(
  'a kill after %i batches loses nothing that was said to be stored',
  async (batches) => {
    const file = home.file('state.db');
    const told = await acceptAndKill(file, batches);
    const connection = openConnection(file, { busyTimeoutMs: 0 });
    expect(connection.prepare('PRAGMA integrity_check').get()?.['integrity_check']).toBe('ok');
    connection.close();

    const { logger } = createLogRecorder();
    const stores = await openSqliteStores({ file, now: () => 0, logger });
    const stored = await unfinishedInbox(stores);
    expect(told.length).toBeGreaterThanOrEqual(batches * 3);
    expect(stored.slice(0, told.length)).toEqual(told);
    // A batch is stored whole or not at all.
    expect(stored.length % 3).toBe(0);
    await stores.close();
  },
  30_000,
);
