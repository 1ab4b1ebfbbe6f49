/**
 * Fills the small disk it is given, frees it and goes on; prints what happened as one line of JSON.
 * Runs in a process of its own, since only there the disk is mounted.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../../src/core/errors.js';
import type { InboxEntry } from '../../../src/core/stores.js';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { anEntry, anEvent, unfinishedInbox } from '../../contracts/store/records.js';
import { createLogRecorder } from './log-recorder.js';

const disk = process.argv[2] ?? '';
const file = join(disk, 'state.db');
const ballast = join(disk, 'ballast');
const { logger } = createLogRecorder();
const open = () => openSqliteStores({ file, now: Date.now, logger });

const codeOf = (error: unknown): string =>
  error instanceof StoreError ? `${error.code} ${error.retry.kind}` : String(error);
const outcomeOf = (work: () => Promise<unknown>): Promise<string> => work().then(() => 'done', codeOf);

const fillUp = (): void => {
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // Full for pieces of this size.
    }
  }
};

const bigEntry = (name: string): InboxEntry =>
  anEntry(name, {
    event: anEvent(`key-${name}`, { parts: [{ type: 'text', text: 'x'.repeat(50_000) }] }),
  });

fillUp();
const openWhenFull = await outcomeOf(open);
rmSync(ballast);
writeFileSync(ballast, Buffer.alloc(1 << 20));

const stores = await open();
const stored: string[] = [];
let acceptWhenFull = 'done';
while (acceptWhenFull === 'done' && stored.length < 1000) {
  const name = `n${stored.length}`;
  acceptWhenFull = await outcomeOf(() => stores.inbox.accept([bigEntry(name)]));
  if (acceptWhenFull === 'done') stored.push(name);
}
const refused = `n${stored.length}`;
const readWhenFull = await unfinishedInbox(stores);
rmSync(ballast);
const sameAgain = await outcomeOf(() => stores.inbox.accept([bigEntry(refused)]));
const after = await unfinishedInbox(stores);
await stores.close();

const connection = openConnection(file, { busyTimeoutMs: 0 });
const integrity = connection.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
connection.close();
process.stdout.write(
  JSON.stringify({
    openWhenFull,
    acceptWhenFull,
    sameAgain,
    integrity,
    stored,
    refused,
    readWhenFull,
    after,
  }),
);
