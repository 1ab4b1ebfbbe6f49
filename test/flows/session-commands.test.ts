import { describe, expect, test } from 'vitest';
import { deltas, gate, text } from '../emulators/openai/control.js';
import { createWorld, otherUser, user, type World } from './world.js';

/** The body of the last request; the emulator has checked its shape. */
const lastBody = async ({ model }: World) =>
  (await model.requests()).at(-1)?.body as
    | { readonly model?: unknown; readonly messages?: readonly unknown[] }
    | undefined;

/** The last request's messages as JSON, without the system prompt. */
const lastRequest = async (world: World): Promise<string> =>
  JSON.stringify((await lastBody(world))?.messages?.slice(1));

const ask = async ({ telegram }: World, words: string, answer: string, from = user) => {
  const before = (await telegram.botTexts(from)).length;
  await telegram.sendDirect(from, words);
  const texts = await telegram.waitForBotMessages(from, before + 1);
  expect(texts.at(-1)?.text).toContain(answer);
};

describe('/undo', () => {
  test('takes the last exchange out of what the model sees, once for each time it is said', async () => {
    const world = await createWorld();
    await ask(world, 'my cat is Murr', 'echo');
    await ask(world, 'my dog is Fido', 'echo');
    await ask(world, '/undo', 'my dog is Fido');
    await ask(world, 'what are they called?', 'echo');
    expect(await lastRequest(world)).toContain('Murr');
    expect(await lastRequest(world)).not.toContain('Fido');
    await ask(world, '/undo', 'what are they called?');
    await ask(world, '/undo', 'Murr');
    await ask(world, '/undo', 'nothing');
  });

  test('waits for no turn and says so', async () => {
    const world = await createWorld();
    await world.model.respond(gate(text('late'), 'held'));
    await world.telegram.sendDirect(user, 'work');
    await world.model.waitFor({ gate: 'held', waiting: 1 });
    await ask(world, '/undo', 'still working');
    await ask(world, '/retry', 'still working');
    await world.model.release('held');
    await world.telegram.waitForMessage(user, 'late');
  });
});

describe('/retry', () => {
  test('answers the last message anew, in the place of the first answer', async () => {
    const world = await createWorld();
    await world.model.respond(text('a poor answer'), text('a better answer'));
    await ask(world, 'tell me a joke', 'a poor answer');
    await ask(world, '/retry', 'a better answer');
    expect(await lastRequest(world)).toContain('tell me a joke');
    expect(await lastRequest(world)).not.toContain('poor');
    await ask(world, 'another', 'echo');
    const said = await lastRequest(world);
    expect(said.split('tell me a joke')).toHaveLength(2);
    expect(said).toContain('a better answer');
    expect(said).not.toContain('poor');
  });

  test('says so when there is nothing to answer', async () => {
    const world = await createWorld();
    await ask(world, '/retry', 'no message');
  });

  test('a stop before it was answered is made up for by the next start', async () => {
    const world = await createWorld();
    await ask(world, 'tell me a joke', 'echo');
    await world.model.respond(gate(deltas(['again']), 'held'));
    await world.telegram.sendDirect(user, '/retry');
    await world.model.waitFor({ gate: 'held', waiting: 1 });
    await world.stop();
    await world.model.reset();
    await world.start();
    await world.telegram.waitForBotMessages(user, 2);
    expect((await lastRequest(world)).split('tell me a joke')).toHaveLength(2);
  });
});

describe('/model', () => {
  const usedModel = async (world: World): Promise<unknown> => (await lastBody(world))?.model;

  test('chooses who answers in this session, over restarts, until /new', async () => {
    const world = await createWorld();
    await ask(world, '/model', 'test-model by openai');
    await ask(world, '/model openai/bigger-model', 'bigger-model answers');
    await ask(world, 'hello', 'echo');
    expect(await usedModel(world)).toBe('bigger-model');
    await world.stop();
    await world.start();
    await ask(world, '/model', 'chosen for this conversation');
    await ask(world, 'hello', 'echo');
    expect(await usedModel(world)).toBe('bigger-model');
    await ask(world, 'for somebody else it is as before', 'echo', otherUser);
    expect(await usedModel(world)).toBe('test-model');
    await ask(world, '/new', 'new conversation');
    await ask(world, 'hello', 'echo');
    expect(await usedModel(world)).toBe('test-model');
  });

  test('goes back to the default and refuses what is no name', async () => {
    const world = await createWorld();
    await ask(world, '/model bigger-model', 'bigger-model');
    await ask(world, '/model default', 'test-model by openai answers again');
    await ask(world, '/model a nice big one', 'not the name');
    await ask(world, 'hello', 'echo');
    expect(await usedModel(world)).toBe('test-model');
  });

  test('is for owners to change', async () => {
    const world = await createWorld({ settings: `owners: ['telegram:${otherUser}']` });
    await ask(world, '/model bigger-model', 'Only an owner');
    await ask(world, '/sethome', 'Only an owner');
  });
});

describe('/busy', () => {
  test('changes what becomes of messages in this chat, over restarts', async () => {
    const world = await createWorld();
    await ask(world, '/busy', 'joins that work');
    await ask(world, '/busy sometimes', 'do not know');
    await ask(world, '/busy queue', 'waits until I am done');
    await ask(world, '/busy', 'joins that work', otherUser);
    await world.stop();
    await world.start();
    const { model, telegram } = world;
    await model.respond(gate(text('first done'), 'held'), text('second done'));
    await telegram.sendDirect(user, 'first');
    await model.waitFor({ gate: 'held', waiting: 1 });
    const second = await telegram.sendDirect(user, 'second');
    await telegram.waitForConfirmed(second.updateId);
    await model.release('held');
    await telegram.waitForMessage(user, 'second done');
    await ask(world, '/busy default', 'joins that work');
  });
});

describe('/sessions', () => {
  test('lists the conversations of this chat and goes back to one', async () => {
    const world = await createWorld({ settings: 'timezone: Asia/Kathmandu' });
    await ask(world, '/sessions', 'no conversation yet');
    await ask(world, 'about cheese', 'echo');
    await ask(world, '/new', 'new conversation');
    await world.clock.advance(1000);
    await ask(world, 'about wine', 'echo');
    await ask(world, 'somebody else', 'echo', otherUser);
    await world.telegram.sendDirect(user, '/sessions');
    const list = await world.telegram.waitForMessage(user, 'Which conversation');
    const labels = list.buttons.flat().map(({ text: label }) => label);
    const now = new Date(world.clock.now() + (5 * 60 + 45) * 60_000)
      .toISOString()
      .slice(0, 16)
      .replace('T', ' ');
    expect(labels).toEqual([`about wine – ${now} – now`, expect.stringMatching(/^about cheese – /)]);
    await ask(world, '/sessions 7', "no conversation '7'");
    await ask(world, '/sessions 1', 'the one we are in');
    await ask(world, '/sessions 2', 'go on with: about cheese');
    await ask(world, 'and now?', 'echo');
    expect(await lastRequest(world)).toContain('about cheese');
    expect(await lastRequest(world)).not.toContain('about wine');
  });

  test('a press goes back to one, also after a restart; the message tells it and later presses are told', async () => {
    const world = await createWorld();
    const { telegram } = world;
    await ask(world, 'about cheese', 'echo');
    await ask(world, '/new', 'new conversation');
    await world.clock.advance(1000);
    await ask(world, 'about wine', 'echo');
    await telegram.sendDirect(user, '/sessions');
    const list = await telegram.waitForMessage(user, 'Which conversation');
    const cheese = list.buttons.flat().find((one) => one.text.startsWith('about cheese'))?.callbackData ?? '';
    await world.stop();
    await world.start();
    await telegram.press(user, user, list.messageId, cheese);
    await telegram.waitForMessage(user, 'We go on with: about cheese');
    const [answer] = await telegram.waitForCalls('answerCallbackQuery');
    expect(answer?.params['text']).toBeUndefined();
    const shown = (await telegram.messages(user)).find((one) => one.messageId === list.messageId);
    expect(shown).toMatchObject({ text: 'We go on with: about cheese', buttons: [] });
    await ask(world, 'and now?', 'echo');
    expect(await lastRequest(world)).toContain('about cheese');
    await telegram.press(user, user, list.messageId, cheese);
    await telegram.press(otherUser, user, list.messageId, cheese);
    await telegram.press(4711, user, list.messageId, cheese);
    const answers = await telegram.waitForCalls('answerCallbackQuery', 4);
    const told = answers.map(({ params }) => String(params['text'] ?? '')).sort();
    expect(told).toEqual([
      '',
      'Only the person who was asked can choose here.',
      expect.stringContaining('This was answered already: about cheese'),
      'You may not choose here.',
    ]);
    expect(await telegram.warnings()).toEqual([]);
  });
});

describe('/usage', () => {
  test('counts the tokens of this conversation, of the chat, and for an owner of everything', async () => {
    const world = await createWorld({ settings: `owners: ['telegram:${user}']` });
    await ask(world, 'one', 'echo');
    await ask(world, '/new', 'new conversation');
    await ask(world, 'two', 'echo');
    await world.telegram.sendDirect(user, '/usage');
    const { text: told } = await world.telegram.waitForMessage(user, 'All conversations here');
    const [session = 0, chat = 0, all = 0] = [...told.matchAll(/: ([\d,]+) tokens read/g)].map(([, count]) =>
      Number(count?.replaceAll(',', '')),
    );
    expect(told).toContain('1 turn');
    expect(session).toBeGreaterThan(0);
    expect(chat).toBeGreaterThan(session);
    expect(all).toBe(chat);
    await ask(world, 'hi', 'echo', otherUser);
    await ask(world, '/usage', 'All conversations here', otherUser);
    expect((await world.telegram.botTexts(otherUser)).at(-1)).not.toContain('Everything');
  });
});

describe('/whoami', () => {
  test('tells platform, id, rights and chat', async () => {
    const world = await createWorld({ settings: `owners: ['telegram:${user}']` });
    await ask(world, '/whoami', `telegram:${user}`);
    await ask(world, '/whoami', 'no owner', otherUser);
  });
});
