import { expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { createWorld, otherUser, user, type World } from './world.js';

const group = -100700;

/** What the model was told by the tool it called last. */
const lastResult = async ({ model }: World): Promise<string> => {
  const body = (await model.requests()).at(-1)?.body as {
    messages: readonly { role: string; content: string }[];
  };
  return body.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';
};

const searchFor = async (world: World, query: string, from: number, chat = from): Promise<string> => {
  await world.model.respond(toolCall('session_search', { query }), text(`looked for ${query}`));
  const { bot } = await world.telegram.state();
  if (chat === from) await world.telegram.sendDirect(from, 'look');
  else await world.telegram.sendText(from, chat, `@${bot.username} look`);
  await world.telegram.waitForMessage(chat, `looked for ${query}`);
  return lastResult(world);
};

test('an earlier conversation is found by two characters, by its people only, and read on', async () => {
  const world = await createWorld({
    telegramWorld: { chats: [{ id: group, title: 'General' }] },
    settings: `owners: ['telegram:${user}']\ntimezone: Asia/Shanghai`,
  });
  const { telegram, model } = world;
  await telegram.sendDirect(otherUser, '我们明天在北京开会');
  await telegram.waitForMessage(otherUser, '北京');
  await telegram.sendDirect(otherUser, '/new');
  await telegram.waitForMessage(otherUser, 'new conversation');

  const own = await searchFor(world, '北京', otherUser);
  expect(own).toContain('user: 我们明天在北京开会');
  expect(await searchFor(world, '开会', user)).toContain('我们明天在北京开会');
  expect(await searchFor(world, '明天', otherUser, group)).toContain('Nothing found');

  const id = Number(/\[(\d+)\][^[]*user:/.exec(own)?.[1]);
  await model.respond(toolCall('session_search', { around_message_id: id }), text('read on'));
  await telegram.sendDirect(otherUser, 'and then?');
  await telegram.waitForMessage(otherUser, 'read on');
  expect(await lastResult(world)).toMatch(/user: 我们明天在北京开会\n\[\d+\] [-\d: ]+, assistant: echo/);
});
