import { describe, expect, test } from 'vitest';
import { createWorld, user, type World } from './world.js';

const stranger = 6666;
const minuteMs = 60_000;

const askForCode = async ({ telegram }: World, from = stranger): Promise<string> => {
  await telegram.sendDirect(from, 'hello?');
  const { text } = await telegram.waitForMessage(from, 'pairing approve');
  const [, code = ''] = /approve telegram ([A-Z2-9]{8})/.exec(text) ?? [];
  return code;
};

const wrongCodes = ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD', 'nonsense'];

describe('pairing', () => {
  test('lets a stranger in by the code they were told, tells them, and survives a restart', async () => {
    const world = await createWorld();
    const { telegram, model } = world;
    const code = await askForCode(world);
    const outcome = await world.daemon.services.pairings.approve('telegram', code.toLowerCase());
    expect(outcome).toMatchObject({ ok: true, pairing: { user: String(stranger) } });
    await telegram.waitForMessage(stranger, 'You are in');
    await telegram.sendDirect(stranger, 'am I in?');
    await telegram.waitForMessage(stranger, 'echo: am I in?');
    await world.stop();
    await world.start();
    await telegram.sendDirect(stranger, 'and now?');
    await telegram.waitForMessage(stranger, 'echo: and now?');
    expect(await model.requests()).toHaveLength(2);
  });

  test('a paired person is no owner, and a revoked one is a stranger at once', async () => {
    const world = await createWorld();
    const { telegram, daemon } = world;
    await daemon.services.pairings.approve('telegram', await askForCode(world));
    await telegram.sendDirect(stranger, '/status');
    const status = await telegram.waitForMessage(stranger, 'Model');
    expect(status.text).not.toContain('Messages waiting');
    expect(await daemon.services.pairings.revoke('telegram', String(stranger))).toBe(true);
    const before = (await telegram.botTexts(stranger)).length;
    await telegram.sendDirect(stranger, 'still there?');
    const texts = await telegram.waitForBotMessages(stranger, before + 1);
    expect(texts.at(-1)?.text).toContain('pairing approve');
  });

  test('SC-02 a right code is refused in the lockout and after its expiry, across restarts, and never logged', async () => {
    const world = await createWorld({
      settings: 'pairing: {code_ttl_minutes: 10, max_attempts: 5, lockout_minutes: 60}',
    });
    const { clock, logger } = world;
    const code = await askForCode(world);
    const approve = (text: string) => world.daemon.services.pairings.approve('telegram', text);
    for (const wrong of wrongCodes.slice(0, 4))
      expect(await approve(wrong)).toMatchObject({ ok: false, reason: 'wrong-code' });
    expect(await approve(wrongCodes[4] ?? '')).toMatchObject({ ok: false, reason: 'locked' });
    expect(await approve(code)).toMatchObject({
      ok: false,
      reason: 'locked',
      message: expect.stringContaining('not even a right one'),
    });
    await world.stop();
    await world.start();
    expect(await approve(code)).toMatchObject({ ok: false, reason: 'locked' });
    clock.setNow(clock.now() + 60 * minuteMs);
    expect(await approve(code)).toMatchObject({ ok: false, reason: 'wrong-code' });
    const fresh = await askForCode(world, stranger + 1);
    expect(await approve(fresh)).toMatchObject({ ok: true });
    expect(await approve(fresh)).toMatchObject({ ok: false, reason: 'wrong-code' });
    const log = logger.text(['debug', 'info', 'warn', 'error']);
    expect(log).toContain('pairing requested');
    expect(log).not.toContain(code);
    expect(log).not.toContain(fresh);
  });

  test('three people of a platform wait at once; the next is told to come back', async () => {
    const world = await createWorld();
    for (const from of [6001, 6002, 6003]) await askForCode(world, from);
    await world.telegram.sendDirect(6004, 'and me?');
    const { text } = await world.telegram.waitForMessage(6004, '6004');
    expect(text).not.toContain('pairing approve');
    expect((await world.daemon.services.pairings.list()).pending).toHaveLength(3);
  });

  test('a flood of strangers is dropped before it reaches the store, and counted', async () => {
    const { telegram, daemon } = await createWorld();
    for (let count = 0; count < 30; count += 1) await telegram.sendDirect(stranger, `knock ${count}`);
    const last = await telegram.sendDirect(user, 'marker');
    await telegram.waitForConfirmed(last.updateId);
    await telegram.waitForMessage(user, 'echo: marker');
    const { adapters } = await daemon.services.status();
    expect(adapters.find(({ platform }) => platform === 'telegram')?.droppedStrangerEvents).toBe(10);
    expect(await telegram.botTexts(stranger)).toHaveLength(1);
  });
});
