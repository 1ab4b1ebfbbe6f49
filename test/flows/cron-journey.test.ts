/** From a wish in a private chat to reports in the home channel, as people see it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpError, text, toolCall } from '../emulators/openai/control.js';
import { png } from './media-world.js';
import { createWorld, user } from './world.js';

const channel = -1001000000042;

test('made in a Telegram DM, delivered with a picture to the home channel and to a topic, silent once, failing once', async () => {
  const world = await createWorld({
    settings: 'cron: {tick_seconds: 5}\ntimezone: Europe/Berlin',
    telegram: `streaming: false, home_channel: '${channel}', allowed_chats: ['${channel}']`,
    telegramWorld: { chats: [{ id: channel, title: 'Team', topics: [{ id: 17, name: 'Reports' }] }] },
  });
  const { telegram, model, workspace, daemon } = world;
  await writeFile(join(workspace, 'chart.png'), png);
  await model.respond(
    toolCall('cronjob', {
      action: 'create',
      name: 'repo watch',
      schedule: 'every 1m',
      prompt: 'What changed?',
      deliver: 'telegram',
    }),
    text('I look every minute and tell the team.'),
  );
  await telegram.sendDirect(user, 'every minute tell the team what changed');
  await telegram.waitForMessage(user, 'I look every minute');
  const told = JSON.stringify((await model.requests()).at(-1)?.body);
  for (const part of ['Created: repo watch', 'every minute, to telegram', 'next runs: '])
    expect(told).toContain(part);
  expect(await daemon.services.jobs.find('repo watch')).toMatchObject({
    job: { origin: { platform: 'telegram', chat: String(user) } },
  });
  await telegram.sendDirect(user, `/cron edit "repo watch" --deliver telegram,telegram:${channel}:17`);
  await telegram.waitForMessage(user, 'Changed: repo watch');

  await model.respond(text(`Two commits.\nMEDIA:${workspace}/chart.png`));
  await world.passing(telegram.waitForMessage(channel, 'Two commits.'));
  await world.passing(
    expect
      .poll(
        async () =>
          (await telegram.messages(channel))
            .map(({ media, threadId = 0, text: said }) => [media, threadId, said] as const)
            // Both are sent side by side.
            .toSorted(([, one], [, other]) => one - other),
        { timeout: 8_000 },
      )
      .toEqual([
        ['photo', 0, 'Two commits.'],
        ['photo', 17, 'Two commits.'],
      ]),
  );
  await model.respond(text('[SILENT]'), httpError(400, { message: 'no such model' }));
  await world.passing(telegram.waitForMessage(channel, 'failed'));
  const { jobs } = daemon.services;
  // The last one is recorded behind its receipt.
  const ends = async () =>
    (await jobs.runs('repo watch', 10)).map(({ outcome, delivery }) => `${outcome} ${delivery}`).reverse();
  await expect.poll(ends).toEqual(['ok sent', 'silent none', 'failed sent']);
  expect((await telegram.botTexts(user)).length).toBe(2);
});
