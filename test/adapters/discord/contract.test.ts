import { discord } from '../../../src/adapters/discord/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { createBed, type DiscordBed, person } from './harness.js';

interface Component {
  readonly custom_id: string;
  readonly label?: string;
  /** Of a menu. */
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

interface Row {
  readonly components: readonly Component[];
}

/** What can be chosen, by button or menu. */
const shownChoices = async ({ control }: DiscordBed, channel: string) =>
  (await control.messages(channel)).flatMap(({ id, components }) =>
    // What the adapter sent, checked by the emulator.
    (components as readonly Row[])
      .flatMap((row) => row.components)
      .flatMap(({ custom_id: customId, label = '', options }) =>
        (options ?? [undefined]).map((option) => ({
          label: option?.label ?? label,
          press:
            option === undefined
              ? ({ kind: 'button', messageId: id, customId } as const)
              : ({ kind: 'select', messageId: id, customId, values: [option.value] } as const),
        })),
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
    buttons: async () => (await shownChoices(bed, channel)).map(({ label }) => label),
    press: async (label) => {
      const choice = (await shownChoices(bed, channel)).find((one) => one.label === label);
      if (choice === undefined) throw new Error(`'${label}' cannot be chosen`);
      await bed.control.interact({ ...choice.press, userId: person, channelId: channel });
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
