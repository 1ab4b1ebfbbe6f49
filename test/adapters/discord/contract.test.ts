import { discord } from '../../../src/adapters/discord/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { createBed, person } from './harness.js';

platformSuite('discord', async () => {
  const bed = await createBed();
  const channel = await bed.control.directChannel(person);
  return {
    definition: discord,
    adapter: bed.adapter,
    route: bed.routeTo(channel),
    shown: () => bed.control.botTexts(channel),
    say: async (text) => {
      await bed.control.sayDirect(person, text);
    },
    pass: (ms) => bed.clock.advance(ms),
    oversized: { text: 'x'.repeat(2001), payload: { content: 'x'.repeat(2001) } },
    dispose: () => bed.control.remove(),
  };
});
