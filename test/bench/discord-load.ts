/**
 * What people do on Discord, and what is read of the answers: the time from the moment a message was dispatched to the
 * moment the answer reached the API. The far side takes both times.
 */
import type { Said } from '../emulators/discord/control.js';
import { type Answers, burstName, CHAT_COUNT, type Load, textOf } from './load.js';
import type { World } from './subject.js';

const FIRST_PERSON = 800_000_000_001_000n;
const ANSWER_TIMEOUT_MS = 60_000;
const SEND = String.raw`^POST /channels/\d+/messages$`;
const timeout = { timeoutMs: ANSWER_TIMEOUT_MS };

const personOf = (index: number): string => String(FIRST_PERSON + BigInt(index % CHAT_COUNT));

/** Of each world: when each text was dispatched, epoch ms. */
const dispatched = new WeakMap<World, Map<string, number>>();

const note = (world: World, text: string, { dispatchedAt }: Said): void => {
  const times = dispatched.get(world) ?? new Map<string, number>();
  times.set(text, dispatchedAt);
  dispatched.set(world, times);
};

const ask = async (world: World, index: number, text: string): Promise<void> => {
  const said = await world.discord.sayDirect(personOf(index), text);
  note(world, text, said);
  await world.discord.wait({ kind: 'message', channelId: said.channelId, equals: `echo: ${text}` }, timeout);
};

export const discordLoad: Load = {
  async untilReady({ discord }) {
    await discord.waitForReady();
    const { readyAt } = await discord.state();
    if (readyAt === undefined) throw new Error('it is connected, and nobody told it so');
    return readyAt;
  },
  async oneByOne(world, kind, from, to) {
    for (let index = from; index < to; index += 1) await ask(world, index, textOf(kind, index));
  },
  async burst(world, number) {
    const { discord } = world;
    const texts = Array.from({ length: CHAT_COUNT }, (_, index) => textOf(burstName(number), index));
    const before = (await discord.calls(SEND)).length;
    const said = await discord.sayAll(texts.map((text, index) => ({ userId: personOf(index), text })));
    for (const [index, text] of texts.entries()) {
      const one = said[index];
      if (one !== undefined) note(world, text, one);
    }
    await discord.wait({ kind: 'calls', call: SEND, count: before + CHAT_COUNT }, timeout);
  },
  async readAnswers(world): Promise<Answers> {
    const answeredAt = new Map<string, number>();
    for (const { body, receivedAt } of await world.discord.calls(SEND)) {
      // The program's own body, in the API's shape.
      const { content } = body as { readonly content?: string };
      if (content !== undefined && !answeredAt.has(content)) answeredAt.set(content, receivedAt);
    }
    return (text) => {
      const deliveredAt = dispatched.get(world)?.get(text);
      const answered = answeredAt.get(`echo: ${text}`);
      if (deliveredAt === undefined || answered === undefined)
        throw new Error(`${text} was not answered alone`);
      return { deliveredAt, answeredAt: answered };
    };
  },
};
