import { whatsapp } from '../../../src/adapters/whatsapp/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { ann, createBed } from './harness.js';

platformSuite('whatsapp', async () => {
  const bed = await createBed();
  return {
    definition: whatsapp,
    adapter: bed.adapter,
    route: bed.routeTo(`+${ann}`),
    shown: () => bed.control.botTexts(ann),
    say: async (text) => {
      await bed.control.phone(ann).sends(text);
    },
    reactions: async () =>
      (await bed.control.messages(ann)).flatMap(({ reactions }) => Object.values(reactions)),
    pass: (ms) => bed.clock.advance(ms),
    oversized: { text: 'x'.repeat(4_097), payload: { content: 'x'.repeat(4_097) } },
    dispose: bed.dispose,
  };
});
