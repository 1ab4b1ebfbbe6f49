import { telegram } from '../../../src/adapters/telegram/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { createBed } from './harness.js';

const person = 1001;

platformSuite('telegram', async () => {
  const bed = await createBed({ chats: [{ id: person }] });
  return {
    definition: telegram,
    adapter: bed.adapter,
    route: bed.routeTo(person),
    shown: () => bed.control.botTexts(person),
    say: async (text) => {
      await bed.control.sendDirect(person, text);
    },
    pass: (ms) => bed.clock.advance(ms),
    oversized: { text: 'x'.repeat(4097), payload: { entities: [] } },
    dispose: () => bed.control.remove(),
  };
});
