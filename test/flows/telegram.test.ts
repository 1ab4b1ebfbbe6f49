import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

describe('a Telegram chat', () => {
  test('gets the answer of the model', async () => {
    const { telegram, model } = await createWorld();
    await model.respond(text('**Hi** there'));
    await telegram.sendDirect(user, 'hello');
    const message = await telegram.waitForMessage(user, 'Hi there');
    expect(message.entities).toEqual([{ type: 'bold', offset: 0, length: 2 }]);
    const [request] = await model.requests();
    expect(request?.lastUserText).toBe('hello');
  });
});

describe('topics', () => {
  test('TG-12 an answer stays in its topic, in General and in private', async () => {
    const forum = -1009000777;
    const chats = [
      { id: forum, topics: [{ id: 314 }] },
      { id: user, topics: [{ id: 42 }] },
    ];
    const { telegram, model } = await createWorld({
      telegram: 'streaming: false, require_mention: false',
      telegramWorld: { chats },
    });
    const places = [
      { chat: forum, threadId: 314, answer: 'in the topic' },
      { chat: forum, threadId: 1, answer: 'in General' },
      { chat: user, threadId: 42, answer: 'in private' },
    ];
    for (const { chat, threadId, answer } of places) {
      await model.respond(text(answer));
      await telegram.sendText(user, chat, 'where?', { threadId });
      await telegram.waitForMessage(chat, answer);
    }
    const sent = await telegram.calls('sendMessage');
    expect(sent.map(({ params }) => [params['chat_id'], params['message_thread_id']])).toEqual([
      [forum, 314],
      [forum, undefined],
      [user, 42],
    ]);
    expect(sent.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('a group that becomes a supergroup', () => {
  const oldGroup = -501;
  const newGroup = -1009000501;
  const member = 3003;
  const service = (chat: number, fields: object) => ({
    kind: 'raw' as const,
    update: {
      message: {
        message_id: 90,
        date: 1_767_225_600,
        chat: { id: chat, type: chat === oldGroup ? 'group' : 'supergroup', title: 'Team' },
        from: { id: member, is_bot: false, first_name: 'M' },
        ...fields,
      },
    },
  });
  const begin = async () => {
    const world = await createWorld({
      telegram: "streaming: false, require_mention: false, allowed_chats: ['-501'], home_channel: '-501'",
      telegramWorld: { chats: [{ id: oldGroup }, { id: newGroup }] },
    });
    await world.model.respond(text('noted'));
    await world.telegram.sendText(member, oldGroup, 'the code word is apricot');
    await world.telegram.waitForMessage(oldGroup, 'noted');
    await world.telegram.setChat({ id: oldGroup, migratedTo: newGroup });
    return world;
  };
  const ask = async ({ telegram, model }: Awaited<ReturnType<typeof begin>>, words: string) => {
    await model.respond(text(`answer to ${words}`));
    await telegram.sendText(member, newGroup, words);
    await telegram.waitForMessage(newGroup, `answer to ${words}`);
    return JSON.stringify((await model.requests()).at(-1)?.body);
  };
  const tell = async (world: Awaited<ReturnType<typeof begin>>, targets: string, key: string) =>
    world.passing(
      world.daemon.services.send({ targets, text: key, key }, { signal: new AbortController().signal }),
    );

  test('TG-11 a send that fails for it is repeated once under the new id, by which the chat is then known', async () => {
    const world = await begin();
    const [delivery] = await tell(world, 'telegram:-501', 'a job');
    expect(delivery).toMatchObject({ state: 'sent' });
    expect((await world.telegram.messages(newGroup)).map((message) => message.text)).toEqual(['a job']);
    const attempts = await world.telegram.calls({ method: 'sendMessage', textContains: 'a job' });
    expect(attempts.map(({ params }) => params['chat_id'])).toEqual([oldGroup, newGroup]);
    expect(await ask(world, 'which word?')).toContain('apricot');
    await tell(world, 'telegram', 'to the home');
    const home = await world.telegram.calls({ method: 'sendMessage', textContains: 'to the home' });
    expect(home.map(({ params }) => params['chat_id'])).toEqual([newGroup]);
  });

  test('TG-11 its service messages move history, access and targets, also after a restart, and start no turn', async () => {
    const world = await begin();
    const { telegram, model } = world;
    await telegram.pushUpdate(service(oldGroup, { migrate_to_chat_id: newGroup }));
    const last = await telegram.pushUpdate(service(newGroup, { migrate_from_chat_id: oldGroup }));
    await telegram.waitForConfirmed(last.updateId);
    expect(await ask(world, 'which word?')).toContain('apricot');
    expect(await model.requests()).toHaveLength(2);
    await world.stop();
    await world.start();
    await telegram.waitForPoll();
    expect(await ask(world, 'and now?')).toContain('apricot');
    await tell(world, 'telegram:-501', 'a job');
    const sent = await telegram.calls({ method: 'sendMessage', textContains: 'a job' });
    expect(sent.map(({ params }) => params['chat_id'])).toEqual([newGroup]);
  });
});
