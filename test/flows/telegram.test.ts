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
