/** Accepts batches of three into the database it is given until it is killed, and tells each that was stored. */
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { anEntry } from '../../contracts/store/records.js';
import { createLogRecorder } from './log-recorder.js';

const { logger } = createLogRecorder();
const stores = await openSqliteStores({ file: process.argv[2] ?? '', now: Date.now, logger });
for (let batch = 0; ; batch += 1) {
  const names = ['a', 'b', 'c'].map((letter) => `${batch}${letter}`);
  await stores.inbox.accept(names.map((name) => anEntry(name)));
  // The stop tells a whole line from one that the kill cut short.
  process.stdout.write(`${names.join(' ')}.\n`);
}
