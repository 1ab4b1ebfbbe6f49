import { expect, test } from 'vitest';
import { createStatus } from '../../src/gateway/status.js';
import { Supervisor } from '../../src/gateway/supervisor.js';
import { createMemoryStores } from '../../src/store/memory/memory-stores.js';
import { aPlatform, someSettings } from '../fakes/builders.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';

type StatusDeps = Parameters<typeof createStatus>[0];

const closed = aPlatform({ allowedUsers: [], variables: { allowed_users: 'FAKE_ALLOWED_USERS' } });

const statusOf = (changes: Partial<StatusDeps> = {}) => {
  const clock = new ManualClock();
  const settings = changes.settings ?? someSettings();
  const logger = new MemoryLogger();
  return createStatus({
    settings,
    supervisors: settings.platforms.map(
      (platform) => new Supervisor({ platform, clock, logger, commands: [], onMoved: async () => undefined }),
    ),
    stores: createMemoryStores({ now: () => clock.now() }),
    hasPaired: () => false,
    startedAt: 1,
    pid: 2,
    counts: () => ({ running: 3, waiting: 4 }),
    storeTrouble: () => undefined,
    forgotten: () => undefined,
    voiceProblems: async () => [],
    ...changes,
  })();
};

test('says what runs, what waits and that all is well', async () => {
  expect(await statusOf()).toMatchObject({
    pid: 2,
    adapters: [{ platform: 'fake', state: 'starting' }],
    queues: { runningTurns: 3, waitingMessages: 4, pendingDeliveries: 0 },
    problems: [],
  });
  expect(await statusOf()).not.toHaveProperty('forgotten');
});

test('says what was forgotten', async () => {
  const forgotten = { at: 1, sessions: 2, messages: 3, files: 4, bytes: 5 };
  expect(await statusOf({ forgotten: () => forgotten })).toMatchObject({ forgotten });
});

test('names what is wrong with the store once, whoever noticed it', async () => {
  const stores = createMemoryStores({ now: () => 0 });
  const maintenance = { ...stores.maintenance, problem: async () => 'The database is gone.' };
  const storeTrouble = () => 'The database is gone.';
  expect((await statusOf({ stores: { ...stores, maintenance }, storeTrouble })).problems).toEqual([
    'The database is gone.',
  ]);
  expect((await statusOf({ storeTrouble: () => 'The disk is full.' })).problems).toEqual([
    'The disk is full.',
  ]);
});

test('a platform where nobody may write is a problem, with what to do', async () => {
  const { problems } = await statusOf({ settings: someSettings({ platforms: [closed] }) });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('Nobody may write in Fake yet.');
});

test.each([
  [
    'somebody is let in by settings for all',
    someSettings({ platforms: [closed], allowedUsers: ['fake:u1'] }),
  ],
  ['it has an owner', someSettings({ platforms: [closed], owners: ['fake:u1'] })],
  ['a chat is let in', someSettings({ platforms: [{ ...closed, allowedChats: ['c1'] }] })],
  ['a role is let in', someSettings({ platforms: [{ ...closed, allowedRoles: ['r1'] }] })],
])('it is none where %s', async (_why, settings) => {
  expect((await statusOf({ settings })).problems).toEqual([]);
});

test('it is none where somebody was paired', async () => {
  const settings = someSettings({ platforms: [closed] });
  expect((await statusOf({ settings, hasPaired: () => true })).problems).toEqual([]);
});
