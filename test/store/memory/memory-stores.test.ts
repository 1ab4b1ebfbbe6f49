import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { storeSuite } from '../../contracts/store/store-suite.js';

storeSuite('memory', async () => {
  let now = 0;
  const stores = createMemoryStores({ now: () => now });
  return {
    stores,
    restart: async () => {
      await stores.close();
      return stores;
    },
    setNow: (at) => {
      now = at;
    },
    dispose: () => stores.close(),
  };
});
