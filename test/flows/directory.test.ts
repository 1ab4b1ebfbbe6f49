import { describe, expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { createWorld, otherUser, user, type World } from './world.js';

const group = -100700;
const withGroup = { telegramWorld: { chats: [{ id: group, title: 'General' }] } };

/** The result that the model was given for its only tool call. */
const toolResult = async ({ model }: World): Promise<string> =>
  JSON.stringify((await model.requests()).at(-1)?.body);

const greet = async ({ telegram }: World): Promise<void> => {
  const { bot } = await telegram.state();
  await telegram.sendText(user, group, `@${bot.username} hello`);
  await telegram.waitForMessage(group, 'hello');
};

const sendTo = async ({ daemon, passing }: World, targets: string) => {
  const request = { targets, text: `to ${targets}`, key: `key-${targets}` };
  const [delivery] = await passing(daemon.services.send(request, { signal: new AbortController().signal }));
  return delivery;
};

describe('the directory', () => {
  test('learns chats from messages and addresses them by label, also after a restart', async () => {
    const world = await createWorld(withGroup);
    await greet(world);
    await world.telegram.sendDirect(otherUser, 'hi');
    await world.telegram.waitForMessage(otherUser, 'echo: hi');
    await world.stop();
    await world.start();
    for (const label of ['telegram:#general', 'telegram:"general"', 'telegram:gen'])
      expect(await sendTo(world, label)).toMatchObject({ state: 'sent' });
    expect((await world.telegram.botTexts(group)).slice(-3)).toEqual([
      expect.stringContaining('to telegram:#general'),
      expect.stringContaining('to telegram:"general"'),
      expect.stringContaining('to telegram:gen'),
    ]);
    const unknown = await sendTo(world, 'telegram:#nowhere');
    expect(unknown?.state).toBe('failed');
    expect(unknown?.detail).toContain(`telegram:#General (telegram:${group})`);
  });

  test('is told to the model of an owner, and not to anybody else', async () => {
    const world = await createWorld({ ...withGroup, settings: `owners: ['telegram:${user}']` });
    const { telegram, model } = world;
    await greet(world);
    await model.respond(toolCall('send_message', { action: 'list' }), text('listed'));
    await telegram.sendDirect(user, 'where can you write?');
    await telegram.waitForMessage(user, 'listed');
    expect(await toolResult(world)).toContain(`telegram:#General (telegram:${group}, group)`);
    await model.respond(toolCall('send_message', { action: 'list' }), text('listed'));
    await telegram.sendDirect(otherUser, 'where can you write?');
    await telegram.waitForMessage(otherUser, 'listed');
    expect(await toolResult(world)).not.toContain('General');
  });

  test('/sethome makes a chat the home channel over the settings, and says what changed', async () => {
    const world = await createWorld({
      ...withGroup,
      telegram: `streaming: false, home_channel: '${otherUser}'`,
    });
    const { telegram } = world;
    await greet(world);
    await telegram.sendText(user, group, '/sethome');
    const { text: told } = await telegram.waitForMessage(group, 'home channel');
    expect(told).toContain(`telegram:${group}`);
    expect(told).toContain(`Before it was telegram:${otherUser}`);
    await world.stop();
    await world.start();
    expect(await sendTo(world, 'telegram')).toMatchObject({ state: 'sent' });
    expect((await telegram.botTexts(group)).at(-1)).toContain('to telegram');
    await telegram.sendText(user, group, '/sethome');
    await telegram.waitForMessage(group, 'already');
  });
});
