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
    buttons: async () =>
      (await bed.control.messages(person)).flatMap(({ buttons }) => buttons.flat().map(({ text }) => text)),
    press: async (label) => {
      const shown = (await bed.control.messages(person)).flatMap(({ messageId, buttons }) =>
        buttons.flat().map((button) => ({ messageId, ...button })),
      );
      const button = shown.find(({ text }) => text === label);
      if (button?.callbackData === undefined) throw new Error(`there is no button '${label}'`);
      await bed.control.press(person, person, button.messageId, button.callbackData);
    },
    told: async () =>
      (await bed.control.calls('answerCallbackQuery')).map(({ params }) =>
        typeof params['text'] === 'string' ? params['text'] : undefined,
      ),
    reactions: async () => (await bed.control.messages(person)).flatMap(({ reactions }) => reactions),
    pass: (ms) => bed.clock.advance(ms),
    oversized: { text: 'x'.repeat(4097), payload: { entities: [] } },
    dispose: () => bed.control.remove(),
  };
});
