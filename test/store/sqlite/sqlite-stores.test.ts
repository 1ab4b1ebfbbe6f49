import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import { storeSuite } from '../../contracts/store/store-suite.js';
import { createLogRecorder } from './log-recorder.js';

storeSuite('sqlite', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-store-'));
  let now = 0;
  const { logger } = createLogRecorder();
  const open = () => openSqliteStores({ file: join(home, 'state.db'), now: () => now, logger });
  let stores = await open();
  return {
    get stores() {
      return stores;
    },
    restart: async () => {
      await stores.close();
      stores = await open();
      return stores;
    },
    setNow: (at) => {
      now = at;
    },
    dispose: async () => {
      await stores.close();
      await rm(home, { recursive: true });
    },
  };
});
