import { toChatId, toPlatformId } from '../../src/core/ids.js';
import { platformSuite } from '../contracts/platform/platform-suite.js';
import { anOrigin } from './builders.js';
import { ManualClock } from './manual-clock.js';
import { ScriptedPlatform } from './scripted-platform.js';

const create = (sketch: { readonly isIdempotent?: boolean; readonly canEdit?: boolean }) => async () => {
  const clock = new ManualClock();
  const adapter = new ScriptedPlatform({ clock, ...sketch });
  const chat = adapter.chat('c1');
  return {
    definition: {
      id: toPlatformId('fake'),
      title: 'Fake',
      connectHint: 'Nothing to connect.',
      parseAddress: (name: string) => (name === '' ? undefined : { chat: toChatId(name) }),
    },
    adapter,
    route: anOrigin(),
    shown: async () => chat.texts,
    say: async (text: string) => void adapter.say(text),
    pass: (ms: number) => clock.advance(ms),
    oversized: { text: 'x'.repeat(4_001), payload: 'x' },
    dispose: async () => undefined,
  };
};

platformSuite('scripted', create({}));
platformSuite('scripted, recognising repeats', create({ isIdempotent: true }));
platformSuite('scripted, that cannot edit', create({ canEdit: false }));
