/** Jobs of a home beside which no gateway runs, by commands that are processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openSqliteStores } from '../../src/store/sqlite/sqlite-stores.js';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl } from '../emulators/telegram/control.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { createHome } from './daemon.js';

const chat = -7001;

const createHomeAlone = async () => {
  const telegram = createTelegramControl(
    `http://127.0.0.1:${inject('telegramPort')}`,
    `${process.pid}77:alone-${'x'.repeat(30)}`,
  );
  const model = createOpenAiControl(`http://127.0.0.1:${inject('openaiPort')}`, `sk-alone-${process.pid}`);
  await Promise.all([telegram.reset({ chats: [{ id: chat, title: 'Team' }] }), model.reset()]);
  const home = createHome({
    platforms: { telegram: { token: telegram.token, api_root: telegram.apiRoot, streaming: false } },
    openaiBaseUrl: model.baseUrl,
    openaiKey: model.key,
  });
  onTestFinished(async () => {
    await Promise.all([telegram.remove(), model.forget()]);
    home.remove();
  });
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.path, HERMES_HOME: home.path };
  const hermes = async (...words: readonly string[]) => {
    const child = spawn(process.execPath, [inject('distMain'), 'cron', ...words], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  const openJobs = () =>
    openSqliteStores({ file: join(home.path, 'state.db'), now: Date.now, logger: new MemoryLogger() });
  return { telegram, hermes, openJobs };
};

test('what is due and what is asked for runs, is delivered and recorded without a gateway, one command at a time', async () => {
  const { telegram, hermes, openJobs } = await createHomeAlone();
  const target = ['--deliver', `telegram:${chat}`];
  expect(await hermes('create', '--name', 'daily', ...target, '@daily', 'What changed?')).toMatchObject({
    code: 0,
  });
  expect(await hermes('create', '--name', 'soon', ...target, 'in 1h', 'Is it time?')).toMatchObject({
    code: 0,
  });

  const ran = await hermes('run', 'daily');
  expect(ran).toMatchObject({ code: 0, said: expect.stringContaining('ok, delivered') });
  expect(await telegram.botTexts(chat)).toEqual([expect.stringContaining('What changed?')]);

  expect(await hermes('tick')).toMatchObject({ code: 0, said: expect.stringContaining('0 begun') });
  const stores = await openJobs();
  const soon = (await stores.jobs.all()).find(({ name }) => name === 'soon');
  if (soon === undefined) throw new Error('the job is gone');
  await stores.jobs.replace({ ...soon, nextAt: Date.now() - 1_000, revision: soon.revision + 1 });
  const ticks = await Promise.all([hermes('tick'), hermes('tick')]);
  expect(ticks.map(({ said }) => said).join('')).toContain('1 begun');
  expect(await telegram.botTexts(chat)).toEqual([
    expect.stringContaining('What changed?'),
    expect.stringContaining('Is it time?'),
  ]);
  const runs = await stores.jobs.runs(undefined, 9);
  expect(
    runs.map(({ jobName, trigger, state, outcome, delivery }) => [
      jobName,
      trigger,
      state,
      outcome,
      delivery,
    ]),
  ).toEqual([
    ['soon', 'schedule', 'ended', 'ok', 'sent'],
    ['daily', 'manual', 'ended', 'ok', 'sent'],
  ]);
  await stores.close();
}, 60_000);
