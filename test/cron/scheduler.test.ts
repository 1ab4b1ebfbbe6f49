import { describe, expect, test } from 'vitest';
import { createCronWorld } from './cron-world.js';

const at = (text: string): number => Date.parse(text);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('CR-03 a restart', () => {
  // 09:15 in São Paulo.
  const daily = { name: 'daily', schedule: '15 9 * * *', prompt: 'Look.', timezone: 'America/Sao_Paulo' };

  test('over the due minute runs it once, late, and the next is tomorrow', async () => {
    const world = createCronWorld({ startAt: '2026-03-10T12:00:00Z' });
    await world.start();
    await world.create(daily);
    await world.advanceTo('2026-03-10T12:14:50Z');
    await world.stop();
    world.sleepUntil('2026-03-10T12:15:40Z');
    await world.start();
    await world.clock.advance(5 * 60_000);
    expect(world.asked).toHaveLength(1);
    expect(await world.runs('daily')).toMatchObject([{ dueAt: at('2026-03-10T12:15:00Z'), state: 'asked' }]);
    expect((await world.job('daily'))?.nextAt).toBe(at('2026-03-11T12:15:00Z'));
  });

  test.each([
    [
      'within the grace after three days runs it once',
      '2026-03-13T13:00:00Z',
      { dueAt: '2026-03-13', asked: 1 },
    ],
    [
      'long after it records since when it was missed',
      '2026-03-13T20:00:00Z',
      { dueAt: '2026-03-10', asked: 0 },
    ],
  ])('%s', async (_title, back, { dueAt, asked }) => {
    const world = createCronWorld({ startAt: '2026-03-10T12:00:00Z' });
    await world.start();
    await world.create(daily);
    await world.stop();
    world.sleepUntil(back);
    await world.start();
    await world.clock.advance(10 * 60_000);
    expect(world.asked).toHaveLength(asked);
    const [run, ...others] = await world.runs('daily');
    expect(others).toEqual([]);
    expect(run?.dueAt).toBe(at(`${dueAt}T12:15:00Z`));
    expect(run).toMatchObject(asked === 0 ? { outcome: 'missed', delivery: 'none' } : { state: 'asked' });
    expect((await world.job('daily'))?.nextAt).toBe(at('2026-03-14T12:15:00Z'));
  });

  test('judges by the zone of the job, over the change of its clocks', async () => {
    const world = createCronWorld({ startAt: '2026-03-28T12:00:00Z' });
    await world.start();
    await world.create({ ...daily, schedule: '0 9 * * *', timezone: 'Europe/Berlin' });
    await world.stop();
    world.sleepUntil('2026-03-29T07:10:00Z');
    await world.start();
    expect(await world.runs('daily')).toMatchObject([{ dueAt: at('2026-03-29T07:00:00Z'), state: 'asked' }]);
  });

  test('with catching up off runs only what is two minutes late at most', async () => {
    const world = createCronWorld({ startAt: '2026-03-10T12:00:00Z', isCatchingUp: false });
    await world.start();
    await world.create(daily);
    await world.stop();
    world.sleepUntil('2026-03-10T12:20:00Z');
    await world.start();
    expect(await world.runs('daily')).toMatchObject([{ outcome: 'missed' }]);
  });

  test('tells of a one-shot that was missed, once, and does not run it', async () => {
    const world = createCronWorld({ startAt: '2026-03-10T12:00:00Z' });
    await world.start();
    await world.create({ name: 'once', schedule: 'in 1h', prompt: 'Look.', deliver: 'telegram:1' });
    await world.stop();
    world.sleepUntil('2026-03-12T12:00:00Z');
    await world.start();
    await expect.poll(() => world.delivered).toHaveLength(1);
    expect(world.delivered[0]?.text).toMatch(/“once” was missed: It was due at .*2026-03-10 13:00/u);
    await expect.poll(() => world.runs('once')).toMatchObject([{ outcome: 'missed', delivery: 'sent' }]);
    await world.stop();
    await world.start();
    await world.clock.advance(dayMs);
    expect(world.asked).toEqual([]);
    expect(world.delivered).toHaveLength(1);
    expect(await world.job('once')).toMatchObject({ isEnabled: false });
  });
});

describe('CR-04 a daemon that dies during a run', () => {
  const begun = async () => {
    const world = createCronWorld({ startAt: '2026-03-10T05:00:00Z' });
    await world.start();
    await world.create({ name: 'daily', schedule: '40 5 * * *', prompt: 'Look.' });
    await world.create({ name: 'once', schedule: '2026-03-10T05:40:00Z', prompt: 'Look.' });
    await world.advanceTo('2026-03-10T05:41:00Z');
    expect(world.asked).toHaveLength(2);
    return world;
  };

  test('asks nothing anew at any of three starts, and the turn may be resumed once for the one-shot alone', async () => {
    const world = await begun();
    for (let start = 0; start < 3; start += 1) {
      await world.stop();
      await world.clock.advance(120_000);
      await world.start();
      await world.clock.advance(60_000);
    }
    expect(world.asked).toHaveLength(2);
    const [daily, once] = world.asked;
    expect(daily && world.cron.platform.maxAttempts(daily.origin.chat)).toBe(1);
    expect(once && world.cron.platform.maxAttempts(once.origin.chat)).toBe(2);
    expect((await world.job('daily'))?.nextAt).toBe(at('2026-03-11T05:40:00Z'));
    expect(await world.job('once')).toMatchObject({ isEnabled: false });
  });

  test('records what its turn ended with', async () => {
    const world = await begun();
    await world.stop();
    await world.start();
    const [daily, once] = world.asked;
    if (daily === undefined || once === undefined) throw new Error('both were asked');
    await world.answer(daily, 'I was interrupted', 'interrupted');
    await world.answer(once, 'All well.');
    expect(await world.runs('daily')).toMatchObject([{ outcome: 'interrupted', state: 'ended' }]);
    expect(await world.runs('once')).toMatchObject([{ outcome: 'ok', state: 'ended' }]);
  });

  test('asks what it had stored and may not have asked, under the same key', async () => {
    let isDead = true;
    const world = createCronWorld({
      startAt: '2026-03-10T05:00:00Z',
      onAccept: () => {
        if (isDead) throw new Error('killed');
      },
    });
    // The kill: whatever comes after it is not stored.
    const saveRun = world.store.saveRun.bind(world.store);
    world.store.saveRun = async (run, owner) => (run.state === 'ended' ? false : saveRun(run, owner));
    await world.start();
    await world.create({ name: 'once', schedule: 'in 1m', prompt: 'Look.' });
    await world.clock.advance(90_000);
    expect(await world.runs('once')).toMatchObject([
      { state: 'asked', question: expect.stringContaining('Look.') },
    ]);
    await world.stop();
    isDead = false;
    world.store.saveRun = saveRun;
    for (let start = 0; start < 2; start += 1) {
      await world.start();
      await world.clock.advance(60_000);
      if (start === 0) await world.stop();
    }
    expect(world.asked).toHaveLength(1);
    const [asked] = world.asked;
    if (asked !== undefined) await world.answer(asked, 'Done.');
    const [run] = await world.runs('once');
    expect(run).toMatchObject({ outcome: 'ok', attempts: 1 });
    expect(run).not.toHaveProperty('question');
  });
});

test('CR-05 delays above 2^31 ms fire in their own minute and not before', async () => {
  const world = createCronWorld({ startAt: '2026-01-01T00:00:30Z' });
  await world.start();
  await world.create({ name: 'quarter', schedule: '0 4 1 */3 *', prompt: 'Look.' });
  await world.create({ name: 'once', schedule: 'in 40d', prompt: 'Look.' });
  await world.create({ name: 'yearly', schedule: '@yearly', prompt: 'Look.' });
  const minutesOf = () => world.asked.map(({ origin, receivedAt }) => [origin.chatTitle, receivedAt]);
  // A jump is what the machine's sleep is; the days between are nothing but ticks.
  for (const [day, moment] of [
    ['2026-02-09T23:50:00Z', '2026-02-10T00:02:00Z'],
    ['2026-04-01T03:50:00Z', '2026-04-01T04:02:00Z'],
    ['2026-12-31T23:50:00Z', '2027-01-01T00:02:00Z'],
  ] as const) {
    world.sleepUntil(day);
    const before = world.asked.length;
    await world.clock.advance(60_000);
    // The quarters between were slept through and are missed; nothing fires early.
    expect(world.asked).toHaveLength(before);
    await world.advanceTo(moment);
  }
  const due = {
    once: '2026-02-10T00:00:30Z',
    quarter: '2026-04-01T04:00:00Z',
    yearly: '2027-01-01T00:00:00Z',
  } as const;
  expect(minutesOf().map(([name]) => name)).toEqual(['once', 'quarter', 'yearly']);
  for (const [name, seenAt] of minutesOf()) {
    const lateMs = Number(seenAt) - at(due[name as keyof typeof due]);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThanOrEqual(60_000);
  }
});

describe('CR-09 in an hour with a slow job, a quick one and a broken one', () => {
  const throughTheHour = async () => {
    const world = createCronWorld({
      startAt: '2026-03-10T08:59:30Z',
      onAccept: ({ origin }) => {
        if (origin.chatTitle === 'C') throw new Error('broken');
      },
    });
    await world.start();
    await world.create({ name: 'A', schedule: '*/5 * * * *', prompt: 'Slow.' });
    await world.create({ name: 'B', schedule: '2 * * * *', prompt: 'Quick.' });
    await world.create({ name: 'C', schedule: '*/10 * * * *', prompt: 'Broken.' });
    const open = new Set<(typeof world.asked)[number]>();
    let seen = 0;
    for (let minute = 0; minute < 61; minute += 1) {
      await world.clock.advance(60_000);
      // What it came to is written to real files, for which the clock does not wait.
      await expect
        .poll(async () => (await world.runs('C')).every(({ state }) => state === 'ended'))
        .toBe(true);
      for (; seen < world.asked.length; seen += 1) {
        const event = world.asked[seen];
        if (event !== undefined) open.add(event);
      }
      for (const event of open) {
        const needsMs = event.origin.chatTitle === 'A' ? 7 * 60_000 : 1_000;
        if (world.clock.now() - event.receivedAt < needsMs) continue;
        open.delete(event);
        await world.answer(event, 'done');
      }
    }
    return world;
  };

  test('the quick one begins within its minute while the slow one runs', async () => {
    const world = await throughTheHour();
    const [quick] = await world.runs('B');
    expect(quick).toMatchObject({ outcome: 'ok', dueAt: at('2026-03-10T09:02:00Z') });
    expect((quick?.startedAt ?? 0) - (quick?.dueAt ?? 0)).toBeLessThanOrEqual(60_000);
    const slow = (await world.runs('A')).filter(({ outcome }) => outcome === 'ok');
    expect(
      slow.some(
        ({ startedAt, endedAt = 0 }) =>
          startedAt <= (quick?.startedAt ?? 0) && endedAt >= (quick?.startedAt ?? 0),
      ),
    ).toBe(true);
  });

  test('the slow one never overlaps itself, and what it left out is recorded and logged', async () => {
    const world = await throughTheHour();
    const runs = await world.runs('A');
    const ran = runs.filter(({ outcome }) => outcome === 'ok');
    for (const [index, run] of ran.entries()) {
      const next = ran[index + 1];
      if (next !== undefined)
        expect(next.startedAt).toBeGreaterThanOrEqual(run.endedAt ?? Number.POSITIVE_INFINITY);
    }
    const skipped = runs.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.length).toBeGreaterThan(3);
    const logged = world.logger.lines.filter(
      ({ message, fields }) => message === 'slot of a job left out' && fields['outcome'] === 'skipped',
    );
    expect(logged).toHaveLength(skipped.length);
  });

  test('the broken one fails alone, each time anew, and is told of', async () => {
    const world = await throughTheHour();
    const ends = async () => (await world.runs('C')).map(({ outcome, state }) => `${outcome} ${state}`);
    await expect.poll(ends).toEqual(Array.from({ length: 7 }, () => 'failed ended'));
    expect((await world.runs('A')).length).toBeGreaterThan(9);
  });
});

describe('a tick without room', () => {
  test('leaves the others in line, who run when there is room, however late that is', async () => {
    const world = createCronWorld({ startAt: '2026-03-10T08:59:30Z', maxParallel: 1 });
    await world.start();
    for (const name of ['one', 'two', 'three'])
      await world.create({ name, schedule: '*/20 * * * *', prompt: 'Look.', repeat: 1 });
    await world.clock.advance(60_000);
    expect(world.asked).toHaveLength(1);
    // Half its period is the grace of what nobody was there for.
    await world.clock.advance(15 * 60_000);
    for (const count of [2, 3]) {
      const last = world.asked.at(-1);
      if (last !== undefined) await world.answer(last, 'done');
      await expect.poll(() => world.asked.length).toBe(count);
      await world.clock.advance(60_000);
    }
    for (const name of ['two', 'three'])
      expect(await world.runs(name)).toMatchObject([{ dueAt: at('2026-03-10T09:00:00Z'), attempts: 1 }]);
  });

  test('says in the log nothing of missed slots', async () => {
    const world = createCronWorld({ startAt: '2026-03-10T08:59:30Z', maxParallel: 1 });
    await world.start();
    await world.create({ name: 'one', schedule: '@hourly', prompt: 'Look.' });
    await world.create({ name: 'two', schedule: '@hourly', prompt: 'Look.' });
    await world.clock.advance(50 * 60_000);
    expect(world.logger.lines.filter(({ message }) => message === 'slot of a job left out')).toEqual([]);
  });
});

test('a clock set back repeats nothing, one set forward misses as a sleep does', async () => {
  const world = createCronWorld({ startAt: '2026-03-10T08:59:30Z' });
  await world.start();
  await world.create({ name: 'hourly', schedule: '@hourly', prompt: 'Look.' });
  await world.clock.advance(60_000);
  expect(world.asked).toHaveLength(1);
  const [first] = world.asked;
  if (first !== undefined) await world.answer(first, 'done');
  world.sleepUntil('2026-03-10T08:30:00Z');
  await world.clock.advance(45 * 60_000);
  expect(world.asked).toHaveLength(1);
  world.sleepUntil('2026-03-10T14:40:00Z');
  await world.clock.advance(60_000);
  expect(await world.runs('hourly')).toMatchObject([
    { outcome: 'ok' },
    { outcome: 'missed', dueAt: at('2026-03-10T14:00:00Z') },
  ]);
  await world.advanceTo('2026-03-10T15:01:00Z');
  expect(world.asked).toHaveLength(2);
});
