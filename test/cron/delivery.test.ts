/** What becomes of a run's result when something is in its way. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toAccountId, toChatId, toPlatformId } from '../../src/core/ids.js';
import type { Origin } from '../../src/core/route.js';
import type { ToolDelivery } from '../../src/core/tool.js';
import { createCronWorld } from './cron-world.js';

const startAt = '2026-03-10T12:00:00Z';
const tickMs = 60_000;
const sent = (target: string): ToolDelivery => ({ target, state: 'sent', detail: 'm1' });
const failed = (target: string): ToolDelivery => ({ target, state: 'failed', detail: 'chat not found' });

const origin: Origin = {
  platform: toPlatformId('telegram'),
  account: toAccountId('bot'),
  chat: toChatId('-7'),
  chatKind: 'group',
};

/** Answers everything that was asked and not answered. */
const answering = (world: ReturnType<typeof createCronWorld>) => {
  let answered = 0;
  return async (text: string): Promise<void> => {
    const events = world.asked.slice(answered);
    answered += events.length;
    for (const event of events) await world.answer(event, text);
  };
};

test('what was made in a chat that is gone comes home, and says so once', async () => {
  const world = createCronWorld({
    startAt,
    deliver: async ({ targets }) => [targets === 'origin' ? failed('origin') : sent(targets)],
  });
  await world.start();
  const answer = answering(world);
  await world.cron.jobs.create({ name: 'report', schedule: 'every 10m', prompt: 'Look.' }, origin);
  for (const round of [1, 2]) {
    await world.clock.advance(10 * tickMs);
    await answer(`Result ${round}.`);
  }
  const home = world.delivered.filter(({ targets }) => targets === 'telegram');
  expect(home).toHaveLength(2);
  expect(home[0]?.text).toMatch(
    /^Result 1\.\n\n\(It comes here, since the chat .* cannot be reached: chat not found\)$/u,
  );
  expect(home[1]?.text).toBe('Result 2.');
  expect(await world.runs('report')).toMatchObject([
    { outcome: 'ok', delivery: 'sent', deliveryDetail: expect.stringContaining('origin, instead telegram') },
    { outcome: 'ok', delivery: 'sent' },
  ]);
});

test('one target of several that fails keeps nothing from the others', async () => {
  const world = createCronWorld({
    startAt,
    deliver: async ({ targets }) => [targets === 'telegram:9' ? failed(targets) : sent(targets)],
  });
  await world.start();
  const answer = answering(world);
  await world.create({
    name: 'report',
    schedule: 'in 1m',
    prompt: 'Look.',
    deliver: 'telegram:1,telegram:9,telegram:1:17,local',
  });
  await world.clock.advance(2 * tickMs);
  await answer('All well.');
  expect(world.delivered.map(({ targets }) => targets)).toEqual([
    'telegram:1',
    'telegram:9',
    'telegram:1:17',
  ]);
  const [run] = await world.runs('report');
  expect(run).toMatchObject({ outcome: 'ok', delivery: 'failed', state: 'ended' });
  expect(run?.deliveryDetail).toBe(
    'telegram:1: sent (m1); telegram:9: failed (chat not found); telegram:1:17: sent (m1)',
  );
});

test('a delivery that waits for its platform holds up neither the next run nor another job', async () => {
  const world = createCronWorld({
    startAt,
    maxParallel: 1,
    deliver: ({ targets }, { signal }) =>
      targets === 'telegram:1'
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve([sent(targets)]),
  });
  await world.start();
  const ignore = (work: Promise<unknown>): void => void work.catch(() => {});
  await world.create({ name: 'waits', schedule: 'every 5m', prompt: 'Look.', deliver: 'telegram:1' });
  await world.create({ name: 'other', schedule: 'in 6m', prompt: 'Look.', deliver: 'telegram:2' });
  await world.clock.advance(5 * tickMs);
  for (const event of world.asked) ignore(world.answer(event, 'All well.'));
  const askedOf = () => world.asked.map(({ sender }) => sender.displayName);
  const stateOf = async (name: string) => (await world.runs(name))[0]?.state;
  await expect.poll(() => stateOf('waits')).toBe('concluding');
  await world.clock.advance(tickMs);
  expect(askedOf()).toEqual(['waits', 'other']);
  ignore(world.answer(world.asked[1] ?? unreachable(), 'All well.'));
  await expect.poll(() => stateOf('other')).toBe('ended');
  await world.clock.advance(4 * tickMs);
  expect(askedOf()).toEqual(['waits', 'other', 'waits']);
  expect(await world.runs('waits')).toMatchObject([
    { state: 'concluding', outcome: 'ok', delivery: 'pending' },
    { state: 'asked' },
  ]);
  expect(await world.runs('other')).toMatchObject([{ state: 'ended', delivery: 'sent' }]);
});

const unreachable = (): never => {
  throw new Error('it was not asked');
};

test('a kill during the delivery of a script’s output runs no script again, and the same is delivered', async () => {
  let isStuck = true;
  const world = createCronWorld({
    startAt,
    deliver: ({ targets }) => (isStuck ? new Promise(() => {}) : Promise.resolve([sent(targets)])),
  });
  const scripts = join(world.home, 'scripts');
  mkdirSync(scripts);
  writeFileSync(join(scripts, 'count.sh'), 'echo ran >> runs.txt; wc -l < runs.txt');
  await world.start();
  const request = { name: 'once', schedule: 'in 1m', script: 'count.sh', isScriptOnly: true };
  await world.create({ ...request, deliver: 'telegram:1' });
  await world.clock.advance(2 * tickMs);
  await expect.poll(async () => (await world.runs('once'))[0]?.state).toBe('concluding');
  await world.stop();
  isStuck = false;
  await world.start();
  await expect.poll(async () => (await world.runs('once'))[0]?.state).toBe('ended');
  expect(readFileSync(join(scripts, 'runs.txt'), 'utf8')).toBe('ran\n');
  expect(world.delivered.map(({ text, key }) => [text, key])).toEqual([
    ['1', world.delivered[0]?.key],
    ['1', world.delivered[0]?.key],
  ]);
  expect(await world.runs('once')).toMatchObject([{ outcome: 'ok', delivery: 'sent', attempts: 1 }]);
});

test('a run whose end comes while the gateway starts is ended all the same', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const world = createCronWorld({
    startAt,
    deliver: async ({ targets }) => {
      await gate;
      return [sent(targets)];
    },
  });
  await world.start();
  await world.create({ name: 'report', schedule: 'in 1m', prompt: 'Look.', deliver: 'telegram:1' });
  await world.clock.advance(2 * tickMs);
  await world.stop();
  const [event = unreachable()] = world.asked;
  let end: Promise<unknown> = Promise.resolve();
  await world.start((adapter) => {
    end = adapter.send(
      {
        route: event.origin,
        encoded: { text: 'All well.', payload: { reason: 'end_turn' } },
        idempotencyKey: 'end',
        cause: { kind: 'notice' },
      },
      { signal: new AbortController().signal },
    );
  });
  release();
  await end;
  expect(await world.runs('report')).toMatchObject([{ state: 'ended', outcome: 'ok', delivery: 'sent' }]);
  expect(await world.store.openRuns()).toEqual([]);
});

test('an output that cannot be kept is delivered all the same', async () => {
  const world = createCronWorld({ startAt });
  writeFileSync(join(world.home, 'cron'), 'a file where the folder should be');
  await world.start();
  const answer = answering(world);
  await world.create({ name: 'report', schedule: 'in 1m', prompt: 'Look.', deliver: 'telegram:1' });
  await world.clock.advance(2 * tickMs);
  await answer('All well.');
  expect(world.delivered).toMatchObject([{ text: 'All well.' }]);
  const [run] = await world.runs('report');
  expect(run).toMatchObject({ outcome: 'ok', delivery: 'sent' });
  expect(run).not.toHaveProperty('output');
  expect(world.logger.lines.some(({ message }) => message === 'output of a job could not be kept')).toBe(
    true,
  );
});

test('what comes but once waits for a run of it that was begun by hand', async () => {
  const world = createCronWorld({ startAt });
  await world.start();
  const answer = answering(world);
  const job = await world.create({ name: 'once', schedule: 'in 2m', prompt: 'Look.', deliver: 'telegram:1' });
  await world.cron.jobs.act(job.id, 'run');
  await world.clock.advance(5 * tickMs);
  expect(world.asked).toHaveLength(1);
  await answer('By hand.');
  await world.clock.advance(tickMs);
  await answer('By schedule.');
  expect(await world.runs('once')).toMatchObject([
    { trigger: 'manual', outcome: 'ok' },
    { trigger: 'schedule', outcome: 'ok' },
  ]);
});

test('a slot that was missed is none of the runs that a job has', async () => {
  const world = createCronWorld({ startAt });
  await world.start();
  const answer = answering(world);
  await world.create({
    name: 'twice',
    schedule: '0 * * * *',
    prompt: 'Look.',
    repeat: 2,
    deliver: 'telegram:1',
  });
  await world.clock.advance(60 * tickMs);
  await answer('One.');
  await world.stop();
  world.sleepUntil('2026-03-10T14:50:00Z');
  await world.start();
  await world.clock.advance(15 * tickMs);
  await answer('Two.');
  await world.clock.advance(120 * tickMs);
  expect((await world.runs('twice')).map(({ outcome }) => outcome)).toEqual(['ok', 'missed', 'ok']);
  expect(await world.job('twice')).toMatchObject({ isEnabled: false, begun: 2 });
});
