/** What holds everywhere, on Discord: cases of the earlier rooms, and the platforms beside one another. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deltas, gate, slowly, text } from '../emulators/openai/control.js';
import { png } from './media-world.js';
import { createWorld, discordUser, otherDiscordUser, user, type World } from './world.js';

const server = '700000000000000201';
const general = '600000000000000201';
const stranger = '800000000000002003';

const discordWorld = {
  users: [
    { id: discordUser, username: 'ada', global_name: 'Ada' },
    { id: otherDiscordUser, username: 'ben', global_name: 'Ben' },
    { id: stranger, username: 'cyd' },
  ],
  guilds: [{ id: server, name: 'Home', channels: [{ id: general, name: 'general' }] }],
};
const begin = (discord = 'streaming: false', settings = '') =>
  createWorld({ discord, discordWorld, settings });

const filesIn = async ({ discord }: World, channel: string): Promise<readonly string[]> =>
  (await discord.messages(channel)).flatMap(({ byBot, attachments }) =>
    byBot ? attachments.map(({ name }) => name) : [],
  );

describe('files', () => {
  test('ME-01 ME-02 ME-04 ME-05 go out by their tags', async () => {
    const world = await begin();
    const { discord, model, workspace } = world;
    await mkdir(join(workspace, 'with space'), { recursive: true });
    for (const name of ['with space/a b.png', 'c.png', 'd.png']) await writeFile(join(workspace, name), png);
    await model.respond(
      text(
        `Look\nMEDIA:${workspace}/with space/a b.png\nMEDIA:"${workspace}/c.png", and MEDIA:${workspace}/d.png.\nMEDIA:${workspace}/c.png`,
      ),
    );
    const { channelId } = await discord.sayDirect(discordUser, 'pictures');
    await discord.waitForMessage(channelId, 'Look');
    await expect.poll(async () => (await filesIn(world, channelId)).length, { timeout: 8_000 }).toBe(3);
    expect(await filesIn(world, channelId)).toEqual(['a b.png', 'c.png', 'd.png']);
    for (const said of await discord.botTexts(channelId)) expect(said).not.toContain('MEDIA');
  });

  test('ME-06 ME-07 from outside, or not there, are named and not sent', async () => {
    const world = await begin();
    const { discord, model, workspace } = world;
    await writeFile(join(workspace, '.env'), 'TOKEN=very-secret');
    await model.respond(
      text(`Here\nMEDIA:/etc/passwd\nMEDIA:${workspace}/missing.png\nMEDIA:${workspace}/.env`),
    );
    const { channelId } = await discord.sayDirect(discordUser, 'secrets');
    await discord.waitForMessage(channelId, 'missing.png');
    expect(await filesIn(world, channelId)).toEqual([]);
  });

  test('a picture of a person reaches a model that sees', async () => {
    const { discord, model } = await begin();
    await model.respond(text('a tiny picture'));
    const contentBase64 = png.toString('base64');
    const { channelId } = await discord.sayDirect(discordUser, 'what is this?', {
      files: [{ name: 'p.png', contentBase64, contentType: 'image/png' }],
    });
    await discord.waitForMessage(channelId, 'a tiny picture');
    const asked = JSON.stringify((await model.requests())[0]?.body);
    expect(asked).toContain('what is this?');
    expect(asked).toContain('p.png');
  });
});

describe('conversations', () => {
  test('SE-01 a message during a turn waits in queue mode, and one turn takes all that wait', async () => {
    const { discord, model, passing } = await begin('streaming: false, busy: queue');
    await model.respond(gate(text('first answer'), 'held'), text('both answers'));
    const { channelId } = await discord.sayDirect(discordUser, 'first');
    await model.waitFor({ gate: 'held', waiting: 1 });
    await discord.sayDirect(discordUser, 'second');
    await discord.sayDirect(discordUser, 'third');
    await passing(discord.waitForMessage(channelId, '⏳'));
    await model.openGate('held');
    await passing(discord.waitForMessage(channelId, 'both answers'));
    expect(await model.requests()).toHaveLength(2);
  });

  test('SE-03 the same message delivered again after a restart starts no further turn', async () => {
    const world = await begin();
    const { discord, model } = world;
    await model.otherwise(text('once'));
    const { channelId, messageId } = await discord.sayDirect(discordUser, 'hello');
    await discord.waitForMessage(channelId, 'once');
    await world.stop();
    await world.start();
    await discord.waitForReady();
    await discord.redeliver(messageId);
    await model.respond(text('the marker'));
    await discord.sayDirect(discordUser, 'marker');
    await discord.waitForMessage(channelId, 'the marker');
    expect(await discord.botTexts(channelId)).toEqual(['once', 'the marker']);
  });

  test('SE-06 two people in one channel do not share a session', async () => {
    const world = await begin('streaming: false, require_mention: false, auto_thread: false');
    const { discord, model } = world;
    await model.respond(text('noted'), text('I know of nothing'));
    await discord.say(discordUser, general, 'the code word is apricot');
    await discord.waitForMessage(general, 'noted');
    await discord.say(otherDiscordUser, general, 'what is the code word?');
    await discord.waitForMessage(general, 'I know of nothing');
    expect(JSON.stringify((await model.requests())[1]?.body)).not.toContain('apricot');
  });
});

describe('strangers', () => {
  test('SC-01 get one answer in private and none in a channel, and cost nothing', async () => {
    const world = await begin();
    const { discord, model } = world;
    const { botId } = await discord.state();
    for (let count = 0; count < 10; count += 1) {
      await discord.sayDirect(stranger, `let me in ${count}`);
      await discord.say(stranger, general, `<@${botId}> let me in ${count}`);
    }
    await model.respond(text('hello Ada'));
    const { channelId } = await discord.sayDirect(discordUser, 'marker');
    await discord.waitForMessage(channelId, 'hello Ada');
    expect(await discord.botTexts(await discord.directChannel(stranger))).toHaveLength(1);
    expect(await discord.botTexts(general)).toEqual([]);
    expect(await model.requests()).toHaveLength(1);
  });

  test('SC-02 are let in by the code they were told', async () => {
    const world = await begin();
    const { discord, model, daemon } = world;
    await discord.sayDirect(stranger, 'hello?');
    const channel = await discord.directChannel(stranger);
    await discord.wait({ kind: 'bot-messages', channelId: channel, count: 1 });
    const code = /\b[A-Z0-9]{8}\b/u.exec((await discord.botTexts(channel))[0] ?? '')?.[0] ?? '';
    expect((await daemon.services.pairings.approve('discord', code)).ok).toBe(true);
    await model.respond(text('welcome'));
    await discord.sayDirect(stranger, 'and now?');
    await discord.waitForMessage(channel, 'welcome');
  });

  test('SC-07 never see the token, whatever fails', async () => {
    const { discord, model, logger, daemon, passing } = await begin();
    await model.respond(text(`the token is ${discord.token}`));
    await discord.fault({ call: '/typing$', times: 'always', action: { kind: 'cut', applied: false } });
    const { channelId } = await discord.sayDirect(discordUser, 'what is the token?');
    await passing(discord.waitForMessage(channelId, 'the token is'));
    const everything = [
      ...(await discord.botTexts(channelId)),
      logger.text(['debug', 'info', 'warn', 'error']),
      JSON.stringify(await daemon.services.status()),
    ].join('\n');
    expect(everything).not.toContain(discord.token);
  });
});

describe('platforms beside one another', () => {
  test('a flood in one leaves the other answering, and nothing of it is lost', async () => {
    const world = await begin('streaming: false', "allowed_users: ['*']");
    const { discord, telegram, model } = world;
    await model.otherwise(text('an answer'));
    const people = Array.from({ length: 40 }, (_, index) => `8000000000000${String(30_000 + index)}`);
    const flood = Promise.all(
      people.flatMap((person) => [1, 2, 3].map((round) => discord.sayDirect(person, `message ${round}`))),
    );
    await telegram.sendDirect(user, 'and here?');
    await telegram.waitForMessage(user, 'an answer');
    await flood;
    for (const person of people) {
      const channelId = await discord.directChannel(person);
      await discord.wait({ kind: 'bot-messages', channelId, count: 1 });
    }
    const asked = JSON.stringify((await model.requests()).map(({ body }) => body));
    for (const round of [1, 2, 3])
      expect(asked.split(`message ${round}`).length - 1).toBeGreaterThanOrEqual(40);
  });

  test('a rate limit of one holds up neither the other nor its own answers for good', async () => {
    const world = await createWorld({
      discord: 'streaming: false',
      discordWorld: { ...discordWorld, rateLimit: { limit: 1, resetAfterSeconds: 20 } },
    });
    const { discord, telegram, model, passing } = world;
    await model.otherwise(text('an answer'));
    const { channelId } = await discord.sayDirect(discordUser, 'one');
    await discord.waitForMessage(channelId, 'an answer');
    await discord.sayDirect(discordUser, 'two');
    await model.waitFor({ requests: 2, idle: true });
    await telegram.sendDirect(user, 'here?');
    await telegram.waitForMessage(user, 'an answer');
    await discord.tick();
    await passing(discord.wait({ kind: 'bot-messages', channelId, count: 2 }));
    expect(await discord.botTexts(channelId)).toEqual(['an answer', 'an answer']);
  });

  test('a refused token of one is told with what to do, and the other answers', async () => {
    const world = await createWorld({ discord: 'streaming: false', discordWorld, isStarted: false });
    const { discord, telegram, model } = world;
    await discord.remove();
    await world.start();
    await telegram.waitForPoll();
    await model.respond(text('I am here'));
    await telegram.sendDirect(user, 'hello');
    await telegram.waitForMessage(user, 'I am here');
    const seen = async () =>
      (await world.daemon.services.status()).adapters.find(({ platform }) => platform === 'discord');
    await expect.poll(seen).toMatchObject({
      state: 'stopped',
      detail: expect.stringContaining('DISCORD_BOT_TOKEN'),
    });
  });
});

test('a growing answer is one message that is edited, within the pace of the channel', async () => {
  const { discord, model, passing } = await begin('streaming: true');
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
  await model.respond(slowly(deltas(words), 'slow'));
  const { channelId } = await discord.sayDirect(discordUser, 'go');
  await model.release('slow', 30);
  await passing(discord.waitForMessage(channelId, 'word10'));
  await model.openGate('slow');
  await passing(discord.waitForMessage(channelId, 'word59'));
  const shown = (await discord.messages(channelId)).filter(({ byBot }) => byBot);
  expect(shown).toHaveLength(1);
  expect(shown[0]?.content).toBe(words.join('').trim());
});
