/** What a job says about its runs holds for them, and only for them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { createWorld, type World } from './world.js';

const settings = 'cron: {tick_seconds: 5}';

const untilEnded = (world: World, count: number) =>
  world.passing(
    (async () => {
      for (;;) {
        const runs = await world.daemon.services.jobs.runs(undefined, 50);
        if (runs.filter(({ state }) => state === 'ended').length >= count) return runs;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  );

const create = async (
  world: World,
  request: Parameters<World['daemon']['services']['jobs']['create']>[0],
) => {
  const answer = await world.daemon.services.jobs.create({ schedule: 'in 1m', deliver: 'local', ...request });
  if (!answer.ok) throw new Error(answer.problem);
  return answer.job;
};

const bodies = async ({ model }: World) => (await model.requests()).map(({ body }) => JSON.stringify(body));

test('a run works in the folder of its job, follows its instructions, and those beside it keep their own', async () => {
  const world = await createWorld({ settings });
  const folders = ['one', 'two'].map((name) => join(world.workspace, name));
  for (const [index, folder] of folders.entries()) {
    await mkdir(folder);
    await writeFile(join(folder, 'AGENTS.md'), `Rule number ${index}.`);
    await writeFile(join(folder, 'facts.txt'), `fact ${index}`);
  }
  await writeFile(join(world.home, 'AGENTS.md'), 'Rule of the house.');
  await writeFile(join(world.home, 'scripts', 'where.sh'), 'pwd');
  const read = toolCall('read_file', { path: 'facts.txt' });
  await world.model.respond(read, read, text('Done.'), text('Done.'));
  for (const workdir of folders) await create(world, { prompt: 'Read.', script: 'where.sh', workdir });
  await untilEnded(world, 2);
  const requests = await bodies(world);
  for (const [index, folder] of folders.entries()) {
    const own = requests.filter((body) => body.includes(`Rule number ${index}.`));
    expect(own).toHaveLength(2);
    for (const body of own) expect(body).not.toContain('Rule of the house');
    expect(own[0]).toContain(folder);
    expect(own[1]).toContain(`fact ${index}`);
    expect(own[1]).not.toContain(`fact ${1 - index}`);
  }
});

test('a run asks the model of its job, and stops at its number of model calls', async () => {
  const world = await createWorld({ settings });
  const call = toolCall('todo', { todos: [] });
  await world.model.otherwise(call);
  await create(world, { prompt: 'Look.', model: 'other-model', maxSteps: 2 });
  const [run] = await untilEnded(world, 1);
  const requests = await world.model.requests();
  expect(requests).toHaveLength(2);
  expect(requests[0]?.body).toMatchObject({ model: 'other-model' });
  expect(run).toMatchObject({ outcome: 'failed', error: expect.stringContaining('after 2 model calls') });
});

test.each([
  ['marker', 'silent', true],
  ['never', 'ok', false],
  ['always', 'silent', true],
] as const)('the silence policy %s makes [SILENT] %s', async (silence, outcome, isTaught) => {
  const world = await createWorld({ settings });
  await world.model.respond(text('[SILENT]'));
  await create(world, { prompt: 'Look.', silence });
  const [run] = await untilEnded(world, 1);
  expect(run).toMatchObject({ outcome });
  expect((await bodies(world))[0]?.includes('[SILENT]')).toBe(isTaught);
});

test('what a job cannot be is said when it is made', async () => {
  const { daemon, workspace } = await createWorld();
  await writeFile(join(workspace, 'file.txt'), '');
  const problemOf = async (request: Parameters<World['daemon']['services']['jobs']['create']>[0]) => {
    const answer = await daemon.services.jobs.create({ schedule: '@daily', prompt: 'Look.', ...request });
    return answer.ok ? 'none' : answer.problem;
  };
  expect(await problemOf({ workdir: '/nowhere/at/all' })).toContain("no folder '/nowhere/at/all'");
  expect(await problemOf({ workdir: 'file.txt' })).toContain('is no folder');
  expect(await problemOf({ workdir: '.' })).toBe('none');
  expect(await problemOf({ skills: ['../etc'] })).toContain("'../etc' is no name of a skill");
  expect(await problemOf({ maxSteps: 5_000 })).toContain('up to 1000');
  expect(await problemOf({ repeat: -1 })).toContain('whole number');
  expect(await problemOf({ name: 'a\nb' })).toContain('one line');
  expect(await problemOf({ isScriptOnly: true })).toContain('needs a script');
  expect(await problemOf({ script: '../state.db' })).toContain('.sh, .py or .js');
  expect(await problemOf({ timezone: 'Mars/Base' })).toContain('Europe/Berlin');
  expect(await problemOf({ deliver: 'matrix:1' })).toContain('matrix');
});

test('an empty text takes away what a job had; a paused one stays paused with another schedule', async () => {
  const world = await createWorld();
  const { jobs } = world.daemon.services;
  const made = { name: 'j', model: 'm', workdir: '.', repeat: 3, schedule: '@daily', prompt: 'Look.' };
  await create(world, made);
  const changed = await jobs.update('j', { model: '', workdir: '', repeat: 0 });
  if (!changed.ok) throw new Error(changed.problem);
  for (const key of ['model', 'workdir', 'repeat']) expect(changed.job).not.toHaveProperty(key);
  await jobs.act('j', 'pause');
  expect(await jobs.update('j', { schedule: 'every 2h' })).toMatchObject({
    job: { isEnabled: false, words: 'every 2 hours' },
    notes: [expect.anything(), expect.stringContaining('still paused')],
  });
});
