import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deltas, gate, slowly, text } from '../emulators/openai/control.js';
import { createWorld, discordUser, otherDiscordUser, user, type World } from './world.js';

const server = '700000000000000101';
const general = '600000000000000101';
const quiet = '600000000000000102';
const forum = '600000000000000103';
const stranger = '800000000000001003';
const otherBot = '800000000000001004';

const people = [
  { id: discordUser, username: 'ada', global_name: 'Ada' },
  { id: otherDiscordUser, username: 'ben', global_name: 'Ben' },
  { id: stranger, username: 'cyd', global_name: 'Cyd' },
  { id: otherBot, username: 'other', bot: true },
];
const discordWorld = {
  users: people,
  guilds: [
    {
      id: server,
      name: 'Home',
      channels: [
        { id: general, name: 'general' },
        { id: quiet, name: 'quiet' },
        { id: forum, name: 'ideas', type: 15 },
      ],
      roles: [{ id: '500000000000000101', name: 'crew' }],
      members: { [stranger]: ['500000000000000101'] },
    },
  ],
};

const begin = (discord = 'streaming: false', settings = '') =>
  createWorld({ discord, discordWorld, settings });
const botOf = async ({ discord }: World): Promise<string> => (await discord.state()).botId;

describe('a private chat in Discord', () => {
  test('DC-03 the very first message after a start is answered, once', async () => {
    const world = await begin();
    const { discord, model } = world;
    await model.respond(text('**Hi** Ada'));
    const { channelId, messageId } = await discord.sayDirect(discordUser, 'hello');
    await discord.waitForMessage(channelId, '**Hi** Ada');
    await discord.redeliver(messageId);
    await model.respond(text('second'));
    await discord.sayDirect(discordUser, 'and now');
    await discord.waitForMessage(channelId, 'second');
    expect(await discord.botTexts(channelId)).toEqual(['**Hi** Ada', 'second']);
    expect((await model.requests()).map(({ lastUserText }) => lastUserText)).toEqual(['hello', 'and now']);
  });

  test('an answer grows in one message', async () => {
    const { discord, model, passing } = await begin('streaming: true');
    await model.respond(slowly(deltas(['one ', 'two ', 'three ', 'four']), 'slow'));
    const { channelId } = await discord.sayDirect(discordUser, 'count');
    await model.openGate('slow');
    await passing(discord.waitForMessage(channelId, 'one two three four'));
    expect(await discord.botTexts(channelId)).toEqual(['one two three four']);
  });
});

describe('a channel in Discord', () => {
  test('a mention is answered in a thread that is named for it, and the talk goes on there without one', async () => {
    const world = await begin();
    const { discord, model } = world;
    const bot = await botOf(world);
    await model.respond(text('The plan is simple.\nMore to come.'));
    const { messageId } = await discord.say(discordUser, general, `<@${bot}> what is the plan?`);
    await discord.waitForMessage(messageId, 'The plan is simple.');
    expect(await discord.channels()).toContainEqual(
      expect.objectContaining({ id: messageId, name: 'The plan is simple.', parent_id: general }),
    );
    await model.respond(text('It costs nothing.'));
    await discord.say(discordUser, messageId, 'what does it cost?');
    await discord.waitForMessage(messageId, 'It costs nothing.');
    expect(await discord.botTexts(general)).toEqual([]);
    const last = JSON.stringify((await model.requests()).at(-1)?.body);
    expect(last).toContain('The plan is simple.');
  });

  test('where no thread may be opened, the answer is in the channel', async () => {
    const world = await begin();
    const { discord, model } = world;
    const bot = await botOf(world);
    const body = { message: 'Missing Permissions', code: 50_013 };
    await discord.fault({
      call: '/threads$',
      times: 'always',
      action: { kind: 'answer', status: 403, body },
    });
    await model.respond(text('here then'));
    const { messageId } = await discord.say(discordUser, general, `<@${bot}> hello`);
    await discord.waitForMessage(general, 'here then');
    const [answer] = (await discord.messages(general)).filter(({ byBot }) => byBot);
    expect(answer?.replyTo).toBe(messageId);
  });

  test('DC-07 only what people write is taken for a message, not what Discord says itself', async () => {
    const { discord, model } = await begin('streaming: false, require_mention: false, auto_thread: false');
    await model.otherwise(text('yes'));
    for (const type of [6, 7, 8, 18, 21, 0, 19])
      await discord.say(discordUser, general, `type ${type}`, { type });
    await discord.wait({ kind: 'bot-messages', channelId: general, count: 1 });
    await discord.say(discordUser, general, 'the end');
    await model.waitFor({ userText: 'the end' });
    const asked = JSON.stringify((await model.requests()).map(({ body }) => body));
    for (const type of [6, 7, 8, 18, 21]) expect(asked).not.toContain(`type ${type}`);
    for (const type of [0, 19]) expect(asked).toContain(`type ${type}`);
  });

  test('DC-10 tags are read as words, but not in code', async () => {
    const world = await begin('streaming: false, auto_thread: false');
    const { discord, model } = world;
    const bot = await botOf(world);
    await discord.setUser({ id: '800000000000000111', username: 'ana', global_name: 'Ana' });
    await discord.setChannel({
      id: '600000000000000222',
      name: 'general-two',
      guildId: server,
      announce: true,
    });
    await model.respond(text('ok'));
    const said = `<@${bot}> ask <@800000000000000111> in <#600000000000000222> <:wave:333> <a:dance:444> <t:1767225600:R> \`<@${bot}>\``;
    await discord.say(discordUser, general, said);
    await discord.waitForMessage(general, 'ok');
    expect((await model.requests())[0]?.lastUserText).toContain(
      `ask @Ana in #general-two :wave: :dance: 2026-01-01 00:00 UTC \`<@${bot}>\``,
    );
  });

  test.each([
    { setting: 'true', shown: 'Ask <@800000000000000111>, not `@Ana`.' },
    { setting: 'false', shown: 'Ask @Ana, not `@Ana`.' },
  ])('DC-10 a name notifies its person only if mention_users is $setting', async ({ setting, shown }) => {
    const world = await begin(`streaming: false, auto_thread: false, mention_users: ${setting}`);
    const { discord, model } = world;
    const bot = await botOf(world);
    await discord.setUser({ id: '800000000000000111', username: 'ana', global_name: 'Ana' });
    await model.respond(text('Ask @Ana, not `@Ana`.'));
    await discord.say(discordUser, general, `<@${bot}> who knows, <@800000000000000111>?`);
    await discord.waitForMessage(general, 'Ask');
    const [answer] = (await discord.messages(general)).filter(({ byBot }) => byBot);
    expect(answer?.content).toBe(shown);
    expect(answer?.allowedMentions).toEqual({
      parse: setting === 'true' ? ['users'] : [],
      replied_user: false,
    });
  });

  test('who has an allowed role may write, and nobody else', async () => {
    const world = await begin("streaming: false, auto_thread: false, allowed_roles: ['500000000000000101']");
    const { discord, model } = world;
    const bot = await botOf(world);
    await discord.setUser({ id: '800000000000001009', username: 'nobody' });
    await model.otherwise(text('welcome'));
    await discord.say('800000000000001009', general, `<@${bot}> let me in`);
    await discord.say(stranger, general, `<@${bot}> hello`);
    await discord.waitForMessage(general, 'welcome');
    expect((await model.requests()).map(({ lastUserText }) => lastUserText)).toEqual([
      expect.stringContaining('hello'),
    ]);
  });

  test('without a mention people are left alone, except in free channels; ignored ones are never answered', async () => {
    const world = await begin(
      `streaming: false, free_response_channels: ['${quiet}'], ignored_channels: ['${general}']`,
    );
    const { discord, model } = world;
    const bot = await botOf(world);
    await model.otherwise(text('I am here'));
    await discord.say(discordUser, general, `<@${bot}> anybody?`);
    await discord.say(discordUser, quiet, 'no name needed');
    await discord.waitForMessage(quiet, 'I am here');
    expect(await discord.botTexts(general)).toEqual([]);
    expect(await model.requests()).toHaveLength(1);
  });

  test('a forum post is a conversation of its own, and a message to a forum makes a post', async () => {
    const world = await begin(`streaming: false, require_mention: false, home_channel: '${forum}'`);
    const { discord, model, daemon } = world;
    const post = '600000000000000777';
    await discord.setChannel({
      id: post,
      name: 'A lamp',
      type: 11,
      parent_id: forum,
      guildId: server,
      announce: true,
    });
    await model.respond(text('a bright idea'));
    await discord.say(discordUser, post, 'what do you think?');
    await discord.waitForMessage(post, 'a bright idea');
    const signal = new AbortController().signal;
    const [sent] = await daemon.services.send(
      { targets: 'discord', text: 'Weekly report\nAll is well.', key: 'k1' },
      { signal },
    );
    expect(sent).toMatchObject({ state: 'sent' });
    expect(await discord.channels()).toContainEqual(
      expect.objectContaining({ name: 'Weekly report', parent_id: forum, type: 11 }),
    );
  });
});

describe('what the bot says in Discord', () => {
  test('DC-01 long code stays in fences, each message within the limit', async () => {
    const { discord, model } = await begin();
    const code = Array.from({ length: 300 }, (_, index) => `print("line ${index}")`).join('\n');
    await model.respond(text(`Here:\n\`\`\`py\n${code}\n\`\`\`\nDone.`));
    const { channelId } = await discord.sayDirect(discordUser, 'code please');
    await discord.waitForMessage(channelId, 'Done.');
    const texts = await discord.botTexts(channelId);
    expect(texts.length).toBeGreaterThan(2);
    for (const [index, one] of texts.entries()) {
      expect(one.length).toBeLessThanOrEqual(2000);
      expect((one.match(/^```/gmu) ?? []).length % 2).toBe(0);
      expect(one).toMatch(/```py\n/u);
      expect(index === 0 || one.startsWith('```py\n')).toBe(true);
    }
    const lines = texts.join('\n').match(/print\("line \d+"\)/gu);
    expect(lines).toEqual(code.split('\n'));
  });

  test('DC-02 nobody is pinged by what the model writes, and the text stays as it is', async () => {
    const world = await begin('streaming: true');
    const { discord, model, daemon, passing } = world;
    const said = 'ok @everyone @here <@&700> and <@800>';
    await model.respond(text(said));
    const { channelId } = await discord.sayDirect(discordUser, 'ping them');
    await passing(discord.wait({ kind: 'message', channelId, equals: said }));
    const signal = new AbortController().signal;
    await daemon.services.send({ targets: `discord:${general}`, text: said, key: 'k2' }, { signal });
    const bodies = (await discord.calls('^(?:POST|PATCH) /channels/\\d+/messages')).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies)
      expect(body).toMatchObject({ allowed_mentions: { parse: [], replied_user: false } });
    expect(await discord.botTexts(general)).toEqual([said]);
  });

  test('files go in one message with their text, and one that is too large is told', async () => {
    const world = await createWorld({
      discord: 'streaming: false',
      discordWorld: { ...discordWorld, maxFileBytes: 1000 },
    });
    const { discord, model, workspace } = world;
    await writeFile(join(workspace, 'a.txt'), 'small');
    await writeFile(join(workspace, 'b.txt'), 'x'.repeat(2000));
    await model.respond(text(`Both files\nMEDIA:${workspace}/a.txt\nMEDIA:${workspace}/b.txt`));
    const { channelId } = await discord.sayDirect(discordUser, 'the files please');
    await discord.waitForMessage(channelId, 'could not send “b.txt”');
    const sent = (await discord.messages(channelId)).filter(({ byBot }) => byBot);
    expect(sent.flatMap(({ attachments }) => attachments.map(({ name }) => name))).toEqual(['a.txt']);
    expect(sent[0]?.content).toBe('Both files');
  });

  test('an answer without end goes as a file under its beginning', async () => {
    const { discord, model } = await begin();
    const long = Array.from({ length: 4000 }, (_, index) => `Line number ${index}.`).join('\n\n');
    await model.respond(text(long));
    const { channelId } = await discord.sayDirect(discordUser, 'all of it');
    await discord.waitForMessage(channelId, 'in the file below');
    const sent = (await discord.messages(channelId)).filter(({ byBot }) => byBot);
    expect(sent).toHaveLength(1);
    const [file] = sent[0]?.attachments ?? [];
    expect(Buffer.from(file?.contentBase64 ?? '', 'base64').toString('utf8')).toBe(long);
  });
});

describe('slash commands', () => {
  test('are deployed once, and again only when they changed', async () => {
    const world = await begin();
    const { discord } = world;
    await discord.wait({ kind: 'calls', call: '^PUT /applications/', count: 1 });
    await world.stop();
    await world.start();
    await discord.waitForReady();
    await discord.sayDirect(discordUser, '/status');
    const { commands, commandDeployments } = await discord.state();
    expect(commandDeployments).toBe(1);
    expect(commands).toContainEqual(expect.objectContaining({ name: 'status' }));
  });

  test('DC-04 a command is acknowledged at once, and its answer fills the acknowledgement', async () => {
    const { discord } = await begin();
    const { interactionId } = await discord.interact({
      kind: 'command',
      userId: discordUser,
      channelId: general,
      name: 'status',
    });
    await discord.wait({ kind: 'acknowledged', interactionId });
    await discord.wait({ kind: 'calls', call: '^PATCH /webhooks/', count: 1 });
    const { originalId } = await discord.interaction(interactionId);
    const shown = await discord.messages(general);
    expect(shown.map(({ id }) => id)).toEqual([originalId]);
    expect(shown[0]?.content).toContain('idle');
  });

  test('DC-04 one that Discord no longer knows is answered in the channel', async () => {
    const { discord } = await begin();
    await discord.fault({
      call: '/callback$',
      action: { kind: 'answer', status: 404, body: { message: 'Unknown interaction', code: 10_062 } },
    });
    await discord.interact({ kind: 'command', userId: discordUser, channelId: general, name: 'status' });
    await discord.waitForMessage(general, 'idle');
    expect(await discord.calls('/webhooks/')).toEqual([]);
  });
});

describe('buttons', () => {
  test('DC-04 a press is acknowledged at once, obeyed once, and counts although Discord forgot it', async () => {
    const { discord } = await begin();
    const { channelId } = await discord.sayDirect(discordUser, '/busy');
    await discord.wait({ kind: 'bot-messages', channelId, count: 1 });
    const [question] = await discord.messages(channelId);
    const asked = (await discord.messages(channelId)).find(({ components }) => components.length > 0);
    const rows = (asked?.components ?? []) as readonly { components: readonly { custom_id: string }[] }[];
    const customId = rows[0]?.components[1]?.custom_id ?? '';
    expect(question).toBeDefined();
    await discord.fault({
      call: '/callback$',
      action: { kind: 'answer', status: 404, body: { message: 'Unknown interaction', code: 10_062 } },
    });
    const press = {
      kind: 'button',
      userId: discordUser,
      channelId,
      messageId: asked?.id ?? '',
      customId,
    } as const;
    await discord.interact(press);
    await discord.wait({ kind: 'calls', call: `^(?:PATCH|POST) /channels/${channelId}/messages`, count: 2 });
    const again = await discord.interact(press);
    await discord.wait({ kind: 'acknowledged', interactionId: again.interactionId });
    await discord.wait({ kind: 'calls', call: '^POST /webhooks/', count: 1 });
  });
});

interface Menu {
  readonly custom_id: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

test('DC-04 many choices are a menu, obeyed once, and only from whoever asked', async () => {
  const { discord, model } = await begin('streaming: false, require_mention: false, auto_thread: false');
  await model.otherwise(text('noted'));
  for (let talk = 0; talk < 7; talk += 1) {
    await discord.say(discordUser, general, `talk ${talk}`);
    await discord.wait({ kind: 'bot-messages', channelId: general, count: 2 * talk + 1 });
    await discord.say(discordUser, general, '/new');
    await discord.wait({ kind: 'bot-messages', channelId: general, count: 2 * talk + 2 });
  }
  await discord.say(discordUser, general, '/sessions');
  await discord.waitForMessage(general, 'Which conversation');
  const asked = (await discord.messages(general)).find(({ components }) => components.length > 0);
  const [row] = (asked?.components ?? []) as readonly { readonly components: readonly Menu[] }[];
  const menu = row?.components[0];
  expect(menu?.options.length).toBeGreaterThanOrEqual(7);
  const wanted = menu?.options.find(({ label }) => label.includes('talk 3'));
  const choose = (userId: string) =>
    discord.interact({
      kind: 'select',
      userId,
      channelId: general,
      messageId: asked?.id ?? '',
      customId: menu?.custom_id ?? '',
      values: [wanted?.value ?? ''],
    });
  await choose(otherDiscordUser);
  await discord.wait({ kind: 'calls', call: '^POST /webhooks/', count: 1 });
  expect(await discord.botTexts(general)).not.toContainEqual(expect.stringContaining('We go on with'));
  await choose(discordUser);
  await discord.waitForMessage(general, 'We go on with: talk 3');
  await choose(discordUser);
  await discord.wait({ kind: 'calls', call: '^POST /webhooks/', count: 2 });
  const shown = await discord.botTexts(general);
  expect(shown.filter((said) => said.includes('We go on with'))).toHaveLength(1);
});

describe('other bots', () => {
  test('DC-06 neither our own words nor those of bots and webhooks start a turn', async () => {
    const world = await begin('streaming: false, require_mention: false, auto_thread: false');
    const { discord, model } = world;
    const bot = await botOf(world);
    await model.otherwise(text('once'));
    await discord.say(bot, general, 'my own reply');
    await discord.say(bot, general, '⏳ my own status line');
    await discord.say(otherBot, general, 'a bot speaks');
    await discord.say(discordUser, general, 'a webhook speaks', { webhookId: '400000000000000001' });
    await discord.say(discordUser, general, 'a person speaks');
    await discord.waitForMessage(general, 'once');
    expect((await model.requests()).map(({ lastUserText }) => lastUserText)).toEqual([
      expect.stringContaining('a person speaks'),
    ]);
  });

  test('DC-06 a bot that answers each answer is let be after a few', async () => {
    const world = await begin(
      `streaming: false, require_mention: false, auto_thread: false, allow_bots: all, allowed_channels: ['${general}']`,
    );
    const { discord, model, logger } = world;
    await model.otherwise(text('and you?'));
    for (let count = 1; count <= 6; count += 1) {
      await discord.say(otherBot, general, `round ${count}`);
      await discord.wait({ kind: 'bot-messages', channelId: general, count });
    }
    for (let count = 7; count <= 10; count += 1) await discord.say(otherBot, general, `round ${count}`);
    await discord.say(discordUser, general, 'enough?');
    await discord.wait({ kind: 'bot-messages', channelId: general, count: 7 });
    const asked = (await model.requests()).map(({ lastUserText }) => lastUserText);
    expect(asked).toHaveLength(7);
    expect(asked.at(-1)).toContain('enough?');
    expect(logger.lines.filter(({ message }) => message.includes('another bot answers'))).toHaveLength(1);
  });
});

describe('trouble with Discord', () => {
  test.each([
    { code: 4014, hint: 'Message Content Intent', spec: { privilegedIntents: [] as const } },
    { code: 4004, hint: 'token', spec: {} },
  ])(
    'DC-05 a close with $code is told, is not tried again, and leaves Telegram alone',
    async ({ code, hint, spec }) => {
      const world = await createWorld({
        discord: 'streaming: false',
        discordWorld: { ...discordWorld, ...spec },
        isStarted: false,
      });
      const { discord, telegram, model } = world;
      if (code === 4004) await discord.revokeToken();
      await world.start();
      await telegram.waitForPoll();
      await model.respond(text('Telegram works'));
      await telegram.sendDirect(user, 'still there?');
      await telegram.waitForMessage(user, 'Telegram works');
      const status = await world.daemon.services.status();
      const adapter = status.adapters.find(({ platform }) => platform === 'discord');
      expect(adapter?.state).toBe('stopped');
      expect(adapter?.detail).toContain(hint);
      await world.clock.advance(600_000);
      expect((await discord.state()).identifies).toBeLessThanOrEqual(1);
    },
  );

  test('DC-09 a cut connection is resumed where it was, the running turn goes on, and nothing is answered twice', async () => {
    const world = await begin();
    const { discord, model } = world;
    await model.respond(gate(text('first answer'), 'hold'));
    const { channelId } = await discord.sayDirect(discordUser, 'first');
    await model.waitFor({ gate: 'hold', waiting: 1 });
    const before = await discord.state();
    await model.otherwise(text('later answer'));
    await discord.replayTwice([before.lastSequence + 1]);
    await discord.closeGateway(1006);
    await discord.say(otherDiscordUser, await discord.directChannel(otherDiscordUser), 'second');
    await discord.say(stranger, await discord.directChannel(stranger), 'third');
    await model.openGate('hold');
    await discord.waitForMessage(channelId, 'first answer');
    await discord.waitForMessage(await discord.directChannel(otherDiscordUser), 'later answer');
    const { resumes, identifies } = await discord.state();
    expect(identifies).toBe(1);
    expect(resumes).toEqual([{ sessionId: expect.any(String), seq: before.lastSequence, accepted: true }]);
    expect(await discord.botTexts(channelId)).toEqual(['first answer']);
    expect(await discord.botTexts(await discord.directChannel(otherDiscordUser))).toEqual(['later answer']);
  });
});
