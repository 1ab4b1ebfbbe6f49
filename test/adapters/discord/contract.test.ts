import { discord } from '../../../src/adapters/discord/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { createBed, type DiscordBed, person } from './harness.js';

interface Row {
  readonly components: readonly { readonly label: string; readonly custom_id: string }[];
}

const shownButtons = async ({ control }: DiscordBed, channel: string) =>
  (await control.messages(channel)).flatMap(({ id, components }) =>
    // What the adapter sent, checked by the emulator.
    (components as readonly Row[]).flatMap((row) =>
      row.components.map((button) => ({ messageId: id, label: button.label, customId: button.custom_id })),
    ),
  );

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
    buttons: async () => (await shownButtons(bed, channel)).map(({ label }) => label),
    press: async (label) => {
      const button = (await shownButtons(bed, channel)).find((one) => one.label === label);
      if (button === undefined) throw new Error(`there is no button '${label}'`);
      const { messageId, customId } = button;
      await bed.control.interact({ kind: 'button', userId: person, channelId: channel, messageId, customId });
    },
    told: async () =>
      (await bed.control.messages(channel))
        .filter(({ ephemeral }) => ephemeral)
        .map(({ content }) => content),
    reactions: async () => (await bed.control.messages(channel)).flatMap(({ reactions }) => reactions),
    pass: (ms) => bed.clock.advance(ms),
    oversized: { text: 'x'.repeat(2001), payload: { content: 'x'.repeat(2001) } },
    dispose: () => bed.control.remove(),
  };
});
