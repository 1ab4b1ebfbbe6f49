import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toAccountId, toChatId, toPlatformId } from '../../src/core/ids.js';
import type { Origin } from '../../src/core/route.js';
import { text } from '../emulators/openai/control.js';
import { createWorld, user, type World } from './world.js';

const lastRun = async ({ daemon }: World) => (await daemon.services.jobs.runs(undefined, 1))[0];

/** Lets time pass until the newest run has ended. */
const untilEnded = async (world: World, count = 1) => {
  const ended = async (): Promise<void> => {
    for (;;) {
      const runs = await world.daemon.services.jobs.runs(undefined, 50);
      if (runs.filter(({ state }) => state === 'ended').length >= count) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await world.passing(ended());
  return lastRun(world);
};

const create = async (
  world: World,
  request: Parameters<World['daemon']['services']['jobs']['create']>[0],
  origin?: Origin,
) => {
  const answer = await world.daemon.services.jobs.create(request, origin);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.job;
};

test('a job runs when it is due, in a conversation of its own, and its answer is delivered and kept', async () => {
  const world = await createWorld({ settings: 'cron: {tick_seconds: 5}' });
  await world.telegram.sendDirect(user, '/whoami');
  await world.telegram.waitForBotMessages(user, 1);
  await world.model.respond(text('Two commits since yesterday.'));
  await create(world, {
    name: 'repo',
    schedule: 'in 1m',
    prompt: 'What changed?',
    deliver: `telegram:${user}`,
  });
  const run = await untilEnded(world);
  expect(run).toMatchObject({
    outcome: 'ok',
    delivery: 'sent',
    state: 'ended',
    deliveryDetail: expect.stringContaining('sent ('),
  });
  expect((await world.telegram.botTexts(user)).slice(1)).toEqual(['Two commits since yesterday.']);
  const folder = join(world.home, 'cron', 'output', run?.job ?? '');
  const [file = ''] = await readdir(folder);
  expect(await readFile(join(folder, file), 'utf8')).toContain('Two commits since yesterday.');
});

test('CR-06 a silent answer is kept and not sent', async () => {
  const world = await createWorld({ settings: 'cron: {tick_seconds: 5}' });
  await world.model.respond(text('Nothing new.\n\n[SILENT]'));
  await create(world, { schedule: 'in 1m', prompt: 'Anything?', deliver: `telegram:${user}` });
  expect(await untilEnded(world)).toMatchObject({ outcome: 'silent', delivery: 'none' });
  expect(await world.telegram.botTexts(user)).toEqual([]);
});

test('CR-08 a dead chat is a delivery that failed, not a run that failed; the next home hears of it once', async () => {
  const world = await createWorld({
    settings: 'cron: {tick_seconds: 5}',
    telegram: `streaming: false, home_channel: '${user}'`,
  });
  await world.telegram.sendDirect(user, '/whoami');
  await world.telegram.waitForBotMessages(user, 1);
  await world.model.otherwise(text('All well.'));
  await create(world, { name: 'dead', schedule: 'every 1m', prompt: 'Look.', deliver: 'telegram:999' });
  expect(await untilEnded(world)).toMatchObject({ outcome: 'ok', delivery: 'failed' });
  expect(await untilEnded(world, 2)).toMatchObject({ outcome: 'ok', delivery: 'failed' });
  const told = (await world.telegram.botTexts(user)).slice(1);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('could not be delivered to telegram:999');
});

test('CR-07 origin without a chat is kept here with a warning; what leads nowhere is refused', async () => {
  const world = await createWorld();
  const { jobs } = world.daemon.services;
  const request = { schedule: '@daily', prompt: 'Look.' };
  const origin = await jobs.create({ ...request, deliver: 'origin' });
  expect(origin).toMatchObject({
    ok: true,
    job: { deliver: 'local' },
    notes: [expect.anything(), expect.stringContaining('only kept')],
  });
  expect(await jobs.create({ ...request, deliver: 'telegram' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('no home channel'),
  });
  expect(await jobs.create({ ...request, deliver: 'telegram:nobody' })).toMatchObject({ ok: false });
});

test('what was made in a group comes to the home channel once the group is gone, and says so once', async () => {
  const group = -5005;
  const home = -5006;
  const world = await createWorld({
    settings: 'cron: {tick_seconds: 5}',
    telegram: `streaming: false, home_channel: '${home}'`,
    telegramWorld: { chats: [{ id: group }, { id: home }] },
  });
  await world.model.otherwise(text('All well.'));
  const origin: Origin = {
    platform: toPlatformId('telegram'),
    account: toAccountId(world.telegram.token.split(':')[0] ?? ''),
    chat: toChatId(String(group)),
    chatKind: 'group',
  };
  await create(world, { name: 'report', schedule: 'every 1m', prompt: 'Look.' }, origin);
  expect(await untilEnded(world)).toMatchObject({ outcome: 'ok', delivery: 'sent' });
  expect(await world.telegram.botTexts(group)).toEqual(['All well.']);
  await world.telegram.setChat({ id: group, standing: 'kicked' });
  expect(await untilEnded(world, 2)).toMatchObject({
    outcome: 'ok',
    delivery: 'sent',
    deliveryDetail: expect.stringContaining('origin, instead telegram: sent'),
  });
  await untilEnded(world, 3);
  const told = await world.telegram.botTexts(home);
  expect(told[0]).toMatch(/^All well\.\n\n\(It comes here, since the chat in which “report” was made/u);
  expect(told.slice(1)).toEqual(['All well.']);
});

test('jobs over HTTP: made, listed, paused, removed; what is wrong is said', async () => {
  const world = await createWorld();
  const post = async (path: string, body: unknown = {}) => {
    const answer = await fetch(new URL(path, world.pageUrl()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const request = { name: 'daily', schedule: '@daily', prompt: 'Look.', timezone: 'Europe/Berlin' };
  expect(await post('/api/jobs', request)).toMatchObject({
    status: 200,
    body: {
      job: {
        zone: 'Europe/Berlin',
        nextRuns: [expect.stringContaining('00:00'), expect.anything(), expect.anything()],
      },
    },
  });
  expect(await post('/api/jobs', { ...request, timezone: 'Mars/Base' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('no time zone') } },
  });
  expect(await post('/api/jobs', { ...request, schedule: '0 0 31 2 *' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('never comes') } },
  });
  expect(await post('/api/jobs/daily/pause')).toMatchObject({ body: { job: { isEnabled: false } } });
  expect(await post('/api/jobs/daily/remove')).toMatchObject({ status: 200 });
  expect(await post('/api/jobs/daily/resume')).toMatchObject({ status: 404 });
});

describe('CR-10 a script', () => {
  const runScript = async (name: string, content: string) => {
    const world = await createWorld({ settings: 'cron: {tick_seconds: 5, script_timeout_seconds: 2}' });
    await world.telegram.sendDirect(user, '/whoami');
    await world.telegram.waitForBotMessages(user, 1);
    await mkdir(join(world.home, 'scripts'), { recursive: true });
    await writeFile(join(world.home, 'scripts', name), content);
    await world.model.respond(text('All is well, nothing to worry about.'));
    const request = { name: 'report', schedule: 'in 1m', prompt: 'Report.', script: name };
    await create(world, { ...request, deliver: `telegram:${user}` });
    const run = await untilEnded(world);
    const chat = (await world.telegram.botTexts(user)).slice(1).join('\n');
    const prompt = JSON.stringify((await world.model.requests()).at(-1)?.body);
    const output = await readFile(join(world.home, run?.output ?? ''), 'utf8');
    return { run, chat, prompt, output, log: JSON.stringify(world.logger.lines) };
  };

  test('that fails is a failed run, whatever the model says, and the model is told', async () => {
    const { run, chat, prompt } = await runScript('fail.sh', 'echo partly; echo "no such table" >&2; exit 3');
    expect(run).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('exit code 3: no such table'),
    });
    expect(chat).toContain('failed');
    expect(chat).toContain('exit code 3');
    expect(chat).toContain('All is well, nothing to worry about.');
    expect(prompt).toContain('exit code 3');
    expect(prompt).toContain('partly');
  });

  test('that hangs is ended with all that it started', async () => {
    const seconds = `9${process.pid}`;
    const { run, chat } = await runScript('hang.sh', `sleep ${seconds} & wait`);
    expect(run).toMatchObject({ outcome: 'failed', error: expect.stringContaining('longer than 2 s') });
    expect(chat).toContain('longer than 2 s');
    const left = spawnSync('pgrep', ['-f', `sleep ${seconds}`], { encoding: 'utf8' });
    expect(left.stdout).toBe('');
  });

  test('that prints a key has it masked in the prompt, the kept output, the chat and the log', async () => {
    const key = 'sk-test-0000000000000000';
    const printing = await runScript('key.sh', `echo API_KEY=${key}`);
    for (const place of [printing.chat, printing.prompt, printing.output, printing.log])
      expect(place).not.toContain(key);
    expect(printing.run).toMatchObject({ outcome: 'ok' });
    const failing = await runScript('bad-key.sh', `echo API_KEY=${key} >&2; exit 1`);
    for (const place of [
      failing.chat,
      failing.prompt,
      failing.output,
      failing.log,
      JSON.stringify(failing.run),
    ])
      expect(place).not.toContain(key);
  });
});
