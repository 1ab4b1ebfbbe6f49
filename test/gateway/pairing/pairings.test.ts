import { expect, test } from 'vitest';
import { toCorrelationId } from '../../../src/core/ids.js';
import { type Notice, Pairings } from '../../../src/gateway/pairing/pairings.js';
import { wordDuration } from '../../../src/gateway/pairing/texts.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aMessage } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';

const minuteMs = 60_000;
const wrongCode = 'AAAAAAAA';

const createWorld = (say?: (notice: Notice) => Promise<void>) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const { pairings: store } = createMemoryStores({ now: () => clock.now() });
  const notices: Notice[] = [];
  const open = (): Pairings =>
    new Pairings({
      store,
      persist: (write) => write(),
      clock,
      logger,
      settings: { codeTtlMs: 20 * minuteMs, maxPending: 2, maxAttempts: 3, lockoutMs: 60 * minuteMs },
      platforms: ['fake', 'other'],
      newCorrelation: () => toCorrelationId('corr'),
      say: async (notice) => {
        if (say !== undefined) await say(notice);
        notices.push(notice);
      },
    });
  let count = 0;
  const pairings = open();
  const knock = (user: string) => {
    count += 1;
    return pairings.onStranger(aMessage({ id: `k${count}`, user, chat: user }));
  };
  const lastCode = (): string => /approve fake (\w{8})/u.exec(notices.at(-1)?.text ?? '')?.[1] ?? '';
  return { clock, logger, notices, pairings, open, knock, lastCode };
};

test('a code lets its asker in once; they are told where they asked', async () => {
  const { pairings, knock, lastCode, notices, open } = createWorld();
  await knock('s1');
  const code = lastCode();
  expect(pairings.isPaired('fake', 's1')).toBe(false);
  expect(await pairings.list()).toMatchObject({ pending: [{ user: 's1' }], paired: [] });
  expect(await pairings.approve('fake', code)).toMatchObject({ ok: true, pairing: { user: 's1' } });
  expect(notices.at(-1)).toMatchObject({
    route: { chat: 's1' },
    text: expect.stringContaining('You are in'),
  });
  expect(pairings.isPaired('fake', 's1')).toBe(true);
  expect(pairings.hasPaired('fake')).toBe(true);
  expect(pairings.hasPaired('other')).toBe(false);
  expect(await pairings.approve('fake', code)).toMatchObject({ ok: false, reason: 'wrong-code' });
  const later = open();
  await later.load();
  expect(later.isPaired('fake', 's1')).toBe(true);
});

test('whoever has a code is not told another, until it has expired', async () => {
  const { clock, knock, lastCode, notices, pairings } = createWorld();
  await knock('s1');
  const first = lastCode();
  await knock('s1');
  expect(notices).toHaveLength(1);
  clock.setNow(clock.now() + 20 * minuteMs);
  expect(await pairings.approve('fake', first)).toMatchObject({ ok: false, reason: 'wrong-code' });
  await knock('s1');
  expect(notices).toHaveLength(2);
  expect(lastCode()).not.toBe(first);
});

test('one who finds too many waiting is told to come back', async () => {
  const { knock, notices } = createWorld();
  for (const user of ['s1', 's2', 's3']) await knock(user);
  expect(notices.at(-1)?.text).toContain('too many are waiting');
  expect(notices.at(-1)?.text).toContain('s3');
});

test('a code is good on its own platform only, and a platform that is not on is named', async () => {
  const { knock, lastCode, pairings } = createWorld();
  await knock('s1');
  expect(await pairings.approve('other', lastCode())).toMatchObject({ ok: false, reason: 'wrong-code' });
  expect(await pairings.approve('nowhere', lastCode())).toMatchObject({
    ok: false,
    reason: 'unknown-platform',
    message: expect.stringContaining('Enabled are: fake, other'),
  });
});

test('wrong codes lock a platform, and it says for how long', async () => {
  const { clock, knock, lastCode, pairings } = createWorld();
  await knock('s1');
  await pairings.approve('fake', wrongCode);
  await pairings.approve('fake', 'no code at all');
  const locked = { ok: false, reason: 'locked' };
  expect(await pairings.approve('fake', wrongCode)).toMatchObject(locked);
  expect(await pairings.approve('fake', lastCode())).toMatchObject({
    ...locked,
    message: expect.stringContaining('another 60 minutes'),
  });
  clock.setNow(clock.now() + 60 * minuteMs);
  await knock('s2');
  expect(await pairings.approve('fake', lastCode())).toMatchObject({ ok: true });
});

test('who is revoked is a stranger again', async () => {
  const { knock, lastCode, pairings } = createWorld();
  await knock('s1');
  await pairings.approve('fake', lastCode());
  expect(await pairings.revoke('fake', 's1')).toBe(true);
  expect(pairings.isPaired('fake', 's1')).toBe(false);
  expect(await pairings.revoke('fake', 's1')).toBe(false);
});

test('who was approved is in although the news did not reach them; no code is in the log', async () => {
  const codes: string[] = [];
  const { knock, pairings, logger } = createWorld(async ({ text }) => {
    const code = /approve fake (\w{8})/u.exec(text)?.[1];
    if (code === undefined) throw new Error('the platform is down');
    codes.push(code);
  });
  await knock('s1');
  const [code = ''] = codes;
  expect(await pairings.approve('fake', code)).toMatchObject({ ok: true });
  expect(pairings.isPaired('fake', 's1')).toBe(true);
  expect(logger.text(['error'])).toContain('news of an approval lost');
  expect(logger.text(['debug', 'info', 'warn', 'error'])).not.toContain(code);
});

test.each([
  [1, '1 minute'],
  [61_000, '2 minutes'],
  [119 * minuteMs, '119 minutes'],
  [120 * minuteMs, '2 hours'],
  [121 * minuteMs, '3 hours'],
])('a wait of %d ms is %s', (ms, words) => {
  expect(wordDuration(ms)).toBe(words);
});
