import { describe, expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { createWorld, discordUser, otherDiscordUser, user, type World } from './world.js';

const general = '600000000000000101';

const discordWorld = {
  users: [
    { id: discordUser, username: 'ada', global_name: 'Ada' },
    { id: otherDiscordUser, username: 'ben', global_name: 'Ben' },
  ],
  guilds: [{ id: '700000000000000101', name: 'Home', channels: [{ id: general, name: 'general' }] }],
};

interface Button {
  readonly custom_id: string;
  readonly label: string;
}

const secretly = () =>
  toolCall('send_message', { action: 'send', target: `telegram:${user}`, message: 'psst' });

const begin = async (settings = '') => {
  const world = await createWorld({
    discord: 'streaming: false, require_mention: false, auto_thread: false',
    settings,
    discordWorld,
  });
  await world.telegram.sendDirect(user, '/whoami');
  await world.telegram.waitForBotMessages(user, 1);
  await world.model.respond(secretly(), text('so be it'));
  return world;
};

const buttonsOf = (components: readonly unknown[]): readonly Button[] =>
  (components as readonly { readonly components: readonly Button[] }[]).flatMap(({ components: row }) => row);

const cardIn = async ({ discord }: World, channelId: string) => {
  const messages = await discord.waitForChannel(channelId, (all) =>
    all.some(({ components, content }) => components.length > 0 && content.includes('May I do this?')),
  );
  const card = messages.find(({ components }) => components.length > 0);
  if (card === undefined) throw new Error('there is no card');
  return card;
};

const press = async (world: World, channelId: string, label: string, userId = discordUser) => {
  const card = await cardIn(world, channelId);
  const customId = buttonsOf(card.components).find((button) => button.label.includes(label))?.custom_id ?? '';
  return world.discord.interact({ kind: 'button', userId, channelId, messageId: card.id, customId });
};

const toOther = async ({ telegram }: World): Promise<readonly string[]> =>
  (await telegram.botTexts(user)).filter((words) => words === 'psst');

describe('a card in Discord', () => {
  test('SC-03 has buttons that count for whoever asked, once, and says what became of it', async () => {
    const world = await begin('owners: ["discord:9"]');
    await world.discord.say(discordUser, general, 'tell the other');
    const card = await cardIn(world, general);
    expect(card.content).toContain('`send_message` (system)');
    expect(buttonsOf(card.components).map(({ label }) => label)).toEqual([
      '✅ Allow once',
      'This session',
      'Always',
      '❌ Deny',
    ]);
    const foreign = await press(world, general, 'Allow once', otherDiscordUser);
    await world.discord.wait({ kind: 'acknowledged', interactionId: foreign.interactionId });
    expect(await toOther(world)).toEqual([]);
    expect((await cardIn(world, general)).id).toBe(card.id);
    await press(world, general, 'Allow once');
    await world.discord.waitForMessage(general, 'so be it');
    expect(await toOther(world)).toEqual(['psst']);
    await world.discord.waitForMessage(general, '✅ Allowed once');
    const ended = (await world.discord.messages(general)).find(({ id }) => id === card.id);
    expect(ended?.components).toEqual([]);
  });

  test('SC-04 ends when nobody answers, and a late press is told so', async () => {
    const world = await begin();
    const { channelId } = await world.discord.sayDirect(discordUser, 'tell the other');
    const card = await cardIn(world, channelId);
    await world.clock.advance(30_100);
    await world.discord.waitForMessage(channelId, 'so be it');
    await world.discord.waitForMessage(channelId, 'Nobody answered in time');
    const customId = buttonsOf(card.components)[0]?.custom_id ?? '';
    const late = await world.discord.interact({
      kind: 'button',
      userId: discordUser,
      channelId,
      messageId: card.id,
      customId,
    });
    await world.discord.wait({ kind: 'acknowledged', interactionId: late.interactionId });
    expect(await toOther(world)).toEqual([]);
  });

  test('SC-05 holds arguments of any length and shape within a message', async () => {
    const world = await createWorld({ discord: 'streaming: false, require_mention: false' });
    const odd = `@everyone <@${discordUser}> \`\`\` ||x|| \u202e ${'<html> '.repeat(1000)}`;
    await world.model.respond(
      toolCall('send_message', { action: 'send', target: `telegram:${user}`, message: odd }),
      text('so be it'),
    );
    const { channelId } = await world.discord.sayDirect(discordUser, 'tell the other');
    const card = await cardIn(world, channelId);
    expect([...card.content].length).toBeLessThanOrEqual(2000);
    expect(card.content).toMatch(/cut here: \d+ more characters/);
    expect(card.content).toContain('⟨U+202E⟩');
    await press(world, channelId, 'Deny');
    await world.discord.waitForMessage(channelId, 'so be it');
    expect(await toOther(world)).toEqual([]);
  });
});
