/** Scheduled jobs in the hands of people who chat. */
import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, discordUser, otherUser, user, type World } from './world.js';

/** A direct chat of Telegram in which commands are answered one by one. */
const chatOf = ({ telegram }: World, who = user) => {
  let count = 0;
  return async (said: string): Promise<string> => {
    await telegram.sendDirect(who, said);
    count += 1;
    const messages = await telegram.waitForBotMessages(who, count);
    return messages.at(-1)?.text ?? '';
  };
};

describe('/cron', () => {
  test('makes a job in a chat, shows it, changes it, pauses and removes it', async () => {
    const world = await createWorld({ settings: 'timezone: Europe/Berlin' });
    const say = chatOf(world);
    expect(await say('/cron')).toContain('There are no jobs yet');
    const made = await say(
      '/cron create —name "daily report" every weekday at 9am What changed in the repo?',
    );
    expect(made).toContain('Created: daily report – every weekday at 9am, to origin');
    expect(made.match(/\d{4}-\d\d-\d\d 09:00/gu)).toHaveLength(3);
    expect(made).toContain('(Europe/Berlin)');
    expect(await say('/cron list')).toMatch(
      /• daily report – every weekday at 9am, to origin · next .* 09:00/u,
    );
    const shown = await say('/cron show Daily Report');
    for (const part of ['every weekday at 9am (Europe/Berlin)', 'It never ran.', 'What changed in the repo?'])
      expect(shown).toContain(part);
    expect(await say('/cron edit "daily report" --schedule "*/5 * * * *" Look at the tests.')).toContain(
      'Changed: daily report – */5 * * * *',
    );
    expect(await say('/cron pause daily report')).toContain('Paused: daily report');
    expect(await say('/cron')).toContain('· paused');
    expect(await say('/cron resume daily report')).toContain('Resumed: daily report');
    expect(await say('/cron remove daily report')).toContain('Removed: daily report');
    expect(await say('/cron show daily report')).toContain("There is no job 'daily report'. There are none.");
  });

  test('runs a job now, by a button; its result comes to the chat, and what came of it is listed', async () => {
    const world = await createWorld({ settings: 'cron: {tick_seconds: 5}' });
    const { telegram, model } = world;
    const say = chatOf(world);
    await model.respond(text('Two commits.'));
    await say('/cron add --name repo @daily What changed?');
    await say('/cron show repo');
    const card = (await telegram.messages(user)).at(-1);
    const run = card?.buttons?.flat().find(({ text: label }) => label === 'Run it now');
    await telegram.press(user, user, card?.messageId ?? 0, run?.callbackData ?? '');
    await world.passing(telegram.waitForMessage(user, 'Two commits.'));
    await expect
      .poll(async () => (await world.daemon.services.jobs.runs(undefined, 1))[0]?.state)
      .toBe('ended');
    await telegram.sendDirect(user, '/cron runs repo');
    await telegram.waitForMessage(user, 'repo: ok, delivered');
  });

  test('says what is wrong and what to write', async () => {
    const say = chatOf(await createWorld());
    expect(await say('/cron nonsense')).toContain("I do not know 'nonsense'");
    expect(await say('/cron create')).toContain('/cron create every weekday at 9am');
    expect(await say('/cron create 2020-01-01T09:00 Look.')).toContain('is over');
    expect(await say('/cron create 2030-02-30T09:00 Look.')).toContain("no time '2030-02-30T09:00'");
    expect(await say('/cron create 0 0 31 2 * Look.')).toContain('never comes');
    expect(await say('/cron create @daily')).toContain('The prompt is missing');
    expect(await say('/cron create --timezone Mars/Base @daily Look.')).toContain('Europe/Berlin');
    expect(await say('/cron create --deliver telegram @daily Look.')).toContain('no home channel');
    expect(await say('/cron create --script none.sh @daily Look.')).toContain("no script 'none.sh'");
    expect(await say('/cron pause')).toContain('/cron pause NAME');
    expect(await say('/cron pause nothing')).toContain("There is no job 'nothing'");
  });

  test('shows people who own nothing the jobs of their own chat, and lets them send nowhere else', async () => {
    const world = await createWorld({ settings: `owners: ['telegram:${user}']` });
    const owner = chatOf(world);
    const other = chatOf(world, otherUser);
    await owner('/cron create --name secret @daily The takeover.');
    expect(await other('/cron')).toContain('There are no jobs yet');
    expect(await other('/cron show secret')).toContain("There is no job 'secret'");
    expect(await other(`/cron create --deliver telegram:${user} @daily Spam.`)).toContain('Only an owner');
    expect(await other('/cron create --workdir /etc @daily Look.')).toContain('Only an owner');
    expect(await other('/cron create --name mine @daily Look.')).toContain('Created: mine');
    const all = await owner('/cron');
    expect(all).toContain('secret');
    expect(all).toContain('mine');
  });

  test('is in the menus of Telegram and Discord, and answers there and on the page', async () => {
    const world = await createWorld({
      discord: 'streaming: false',
      discordWorld: { users: [{ id: discordUser, username: 'ada' }] },
    });
    const { telegram, discord, daemon } = world;
    const [menu] = await telegram.waitForCalls('setMyCommands');
    expect(JSON.stringify(menu?.params['commands'])).toContain('"cron"');
    await expect
      .poll(async () => JSON.stringify(await discord.calls()), { timeout: 8_000 })
      .toContain('"cron"');
    const { channelId } = await discord.sayDirect(discordUser, '/cron create --name d every 2h Look.');
    await discord.waitForMessage(channelId, 'Created');
    expect(await daemon.services.jobs.find('d')).toMatchObject({
      job: { origin: { platform: 'discord', chat: channelId }, deliver: 'origin' },
    });
    const address = new URL('/api/sessions/main/messages', world.pageUrl());
    const headers = { 'content-type': 'application/json' };
    await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text: '/cron create --name w every 2h Look.' }),
    });
    await expect
      .poll(async () => (await fetch(address)).text(), { timeout: 8_000 })
      .toContain('Created: **w**');
  });
});
