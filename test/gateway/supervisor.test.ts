import { describe, expect, test } from 'vitest';
import { later } from '../../src/core/errors.js';
import { Supervisor } from '../../src/gateway/supervisor.js';
import { aPlatform } from '../fakes/builders.js';
import { someGatewayServices } from '../fakes/gateway-services.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { platformError, ScriptedPlatform } from '../fakes/scripted-platform.js';

const commands = [{ name: 'stop', description: 'Stops the running answer' }];
const sink = { accept: async () => [] };

const supervise = (clock: ManualClock, platform: ScriptedPlatform, id = 'fake') => {
  const supervisor = new Supervisor({
    platform: aPlatform({ id, create: async () => platform }),
    clock,
    logger: new MemoryLogger(),
    commands,
    onMoved: async () => undefined,
  });
  return supervisor;
};

const create = async () => {
  const clock = new ManualClock();
  const platform = new ScriptedPlatform({ clock });
  const supervisor = supervise(clock, platform);
  await supervisor.create(someGatewayServices());
  const stop = new AbortController();
  return { clock, platform, supervisor, stop, run: () => supervisor.run(sink, stop.signal) };
};

const crash = platformError('unavailable', { retry: later });

describe('a supervisor', () => {
  test('runs its platform until it is told to end, and publishes the command menu once it is connected', async () => {
    const { platform, supervisor, stop, run, clock } = await create();
    expect(supervisor.status).toMatchObject({ state: 'starting', disconnects: 0 });
    const ran = run();
    await clock.advance(0);
    expect(supervisor.status).toMatchObject({ state: 'connected', since: clock.now() });
    expect(platform.menu).toEqual(commands);
    stop.abort(new Error('the gateway is stopping'));
    await ran;
    expect(supervisor.status).toMatchObject({ state: 'stopped', detail: 'The gateway is stopping.' });
  });

  test('starts a failed platform again, ever more slowly, and says meanwhile what is wrong', async () => {
    const { clock, platform, supervisor, stop, run } = await create();
    platform.script.fail('run', crash, { times: 8 });
    const ran = run();
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await clock.waiting(pauseMs);
      expect(supervisor.status).toMatchObject({
        state: 'unhealthy',
        detail: 'The platform says unavailable. It is started again.',
      });
      await clock.advance(pauseMs);
    }
    expect(supervisor.status.state).toBe('connected');
    expect(platform.runCount).toBe(9);
    stop.abort(new Error('over'));
    await ran;
  });

  test('starts one that ran for long at once again', async () => {
    const { clock, platform, supervisor, stop, run } = await create();
    platform.script.fail('run', crash, { times: 3 });
    const ran = run();
    await clock.waiting(1_000);
    await clock.advance(7_000);
    expect(supervisor.status.state).toBe('connected');
    await clock.advance(120_000);
    platform.breakOff(crash);
    await clock.waiting(1_000);
    expect(supervisor.status).toMatchObject({ state: 'unhealthy', disconnects: 1 });
    await clock.advance(1_000);
    expect(supervisor.status.state).toBe('connected');
    stop.abort(new Error('over'));
    await ran;
  });

  test('ends for good what a restart cannot mend', async () => {
    const { clock, platform, supervisor, run } = await create();
    platform.script.fail('run', platformError('unauthorized'));
    await run();
    await clock.advance(3_600_000);
    expect(platform.runCount).toBe(1);
    expect(supervisor.status).toMatchObject({ state: 'stopped', detail: 'The platform says unauthorized.' });
  });

  test('says why its platform cannot be loaded, and does not run it', async () => {
    const clock = new ManualClock();
    const supervisor = new Supervisor({
      platform: aPlatform({ create: () => Promise.reject(new Error('no such module')) }),
      clock,
      logger: new MemoryLogger(),
      commands,
      onMoved: async () => undefined,
    });
    await supervisor.create(someGatewayServices());
    await supervisor.run(sink, new AbortController().signal);
    expect(supervisor.adapter).toBeUndefined();
    expect(supervisor.status).toMatchObject({ state: 'stopped', detail: 'no such module' });
  });

  test('leaves other platforms alone when its own fails', async () => {
    const clock = new ManualClock();
    const broken = new ScriptedPlatform({ clock, id: 'broken' });
    const well = new ScriptedPlatform({ clock, id: 'well' });
    broken.script.fail('run', platformError('unauthorized'));
    const supervisors = [supervise(clock, broken, 'broken'), supervise(clock, well, 'well')];
    const stop = new AbortController();
    await Promise.all(supervisors.map((one) => one.create(someGatewayServices())));
    const ran = Promise.all(supervisors.map((one) => one.run(sink, stop.signal)));
    await clock.advance(60_000);
    expect(supervisors.map(({ status }) => status.state)).toEqual(['stopped', 'connected']);
    stop.abort(new Error('over'));
    await ran;
  });

  test('remembers when something came and went, and how many strangers were dropped', async () => {
    const { clock, supervisor } = await create();
    expect(supervisor.status).not.toHaveProperty('lastInboundAt');
    await clock.advance(1_000);
    supervisor.noteInbound();
    await clock.advance(1_000);
    supervisor.noteSent();
    supervisor.noteDroppedStranger();
    expect(supervisor.status).toMatchObject({
      lastInboundAt: clock.now() - 1_000,
      lastSentAt: clock.now(),
      droppedStrangerEvents: 1,
    });
  });

  test('goes on when the menu cannot be published, and offers it again after ten minutes', async () => {
    const { clock, platform, supervisor, stop, run } = await create();
    platform.script.fail('menu', platformError('rate-limited'));
    const ran = run();
    await clock.advance(0);
    expect(supervisor.status.state).toBe('connected');
    await clock.advance(599_999);
    await platform.say('still here');
    expect(platform.menu).toEqual([]);
    await clock.advance(1);
    await platform.say('and later');
    await clock.advance(0);
    expect(platform.menu).toEqual(commands);
    stop.abort(new Error('over'));
    await ran;
  });
});
