/** One of the processes that share the database it is given: `hammer-jobs.ts FILE OWNER`. */
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { hammer, startSign } from '../../contracts/store/job-hammer.js';
import { createLogRecorder } from './log-recorder.js';

const [file = '', owner = ''] = process.argv.slice(2);
const { logger } = createLogRecorder();
const stores = await openSqliteStores({ file, now: Date.now, logger });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say('ready');
while ((await stores.jobs.find(startSign)) === undefined)
  await new Promise((resolve) => setImmediate(resolve));
await hammer(stores.jobs, owner, say);
await stores.close();
say('done');
