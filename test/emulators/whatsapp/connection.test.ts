import { describe, expect, test } from 'vitest';
import { ANN, BOT, freshAuth, textOf, useEmulator } from './harness.js';

const world = useEmulator();

describe('connecting', () => {
  test('a device with credentials logs in and catches up', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.waitForReady();
    expect(await control.state()).toMatchObject({
      connections: 1,
      logins: 1,
      linkedDevices: [7],
      complaints: [],
    });
  });

  test('a QR code that is scanned links the device, which then logs in with all its keys', async () => {
    const { connect, control } = await world();
    const auth = freshAuth();
    const pairing = await connect(auth);
    const qr = await pairing.until('a QR code', () => pairing.updates.find((update) => update.qr)?.qr);
    await control.scan(qr);
    expect(await pairing.untilClosed()).toBe(515);
    const bot = await connect(auth);
    await bot.untilOpen();
    await control.wait({ kind: 'delivered' });
    expect(auth.creds.me).toMatchObject({ id: `${BOT}:7@s.whatsapp.net`, lid: `9${BOT}:7@lid` });
    expect(await control.state()).toMatchObject({ preKeys: 811, complaints: [] });
    const { messageId } = await control.phone(ANN).sends('hello');
    const { message, type } = await bot.untilMessage(messageId);
    expect([textOf(message.message), type]).toEqual(['hello', 'notify']);
  });

  test('a code that is typed into the phone links the device; a wrong one does not', async () => {
    const { connect, control } = await world();
    const auth = freshAuth();
    const pairing = await connect(auth);
    await pairing.until('a QR code', () => pairing.updates.find((update) => update.qr));
    const code = await pairing.socket.requestPairingCode(BOT);
    await control.wait({ kind: 'calls', call: '^iq set md link_code', count: 1 });
    await expect(control.enterCode('AAAAAAAA')).rejects.toThrow('not the code');
    await control.enterCode(code);
    expect(await pairing.untilClosed()).toBe(515);
    const bot = await connect(auth);
    await bot.untilOpen();
    expect(auth.creds.me?.id).toBe(`${BOT}:7@s.whatsapp.net`);
  });

  test('a QR code is good once, and only while it is shown', async () => {
    const { connect, control } = await world({ qrRefs: 1 });
    await expect(control.scan('https://wa.me/settings/linked_devices#nothing')).rejects.toThrow(
      'no client shows',
    );
    const pairing = await connect(freshAuth(), { qrTimeout: 30 });
    expect(await pairing.untilClosed()).toBe(408);
  });

  test.each([
    ['restart', 515],
    ['conflict', 440],
    ['revoked', 401],
    ['unavailable', 503],
    ['end', 428],
    ['cut', 428],
  ] as const)('a connection that ends with %s closes with %i', async (ending, code) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.end(ending);
    expect(await bot.untilClosed()).toBe(code);
  });

  test('a device that is linked no more is told so at its next login', async () => {
    const { connect, control, linked } = await world();
    const auth = await linked();
    await control.end('revoked');
    expect(await (await connect(auth)).untilClosed()).toBe(401);
  });

  test('credentials that are not those of the device are refused', async () => {
    const { connect, linked } = await world();
    const auth = await linked();
    const creds = { ...auth.creds, noiseKey: freshAuth().creds.noiseKey };
    expect(await (await connect({ ...auth, creds })).untilClosed()).toBe(401);
  });

  test('a client that logs out is linked no more', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await bot.socket.logout();
    await control.wait({ kind: 'calls', call: '^iq set md remove', count: 1 });
    expect((await control.state()).linkedDevices).toEqual([]);
  });

  test('a second connection of the same device replaces the first', async () => {
    const { connect, linked } = await world();
    const auth = await linked();
    const first = await connect(auth);
    await first.untilOpen();
    const second = await connect(auth);
    await second.untilOpen();
    expect(await first.untilClosed()).toBe(440);
  });

  test.each([
    ['a ban', { reason: 403 }, 403],
    ['an overload after the handshake', { reason: 503 }, 503],
  ] as const)('%s refuses the login until it is lifted', async (_, refusal, code) => {
    const { connect, control, linked } = await world();
    const auth = await linked();
    await control.refuse(refusal);
    expect(await (await connect(auth)).untilClosed()).toBe(code);
    await control.refuse({});
    await (await connect(auth)).untilOpen();
  });

  test('a connection that is refused at the door is not reported as closed: only the raw event tells', async () => {
    const { connect, control } = await world();
    await control.refuse({ status: 503 });
    const bot = await connect();
    const status = await new Promise((resolve) => {
      bot.socket.ws.on('unexpected-response', (_, response: { statusCode?: number }) =>
        resolve(response.statusCode),
      );
    });
    expect(status).toBe(503);
    expect(bot.updates.some(({ connection }) => connection === 'close')).toBe(false);
  });

  test('a server that no longer answers is noticed by the missing answers', async () => {
    const { connect, control } = await world();
    const bot = await connect(undefined, { keepAliveIntervalMs: 50 });
    await bot.untilOpen();
    await control.wait({ kind: 'calls', call: '^iq get w:p ping', count: 2 });
    expect((await control.state()).connections).toBe(1);
  });

  test('a device of an earlier start is taken as linked where the world allows it, and both sides find new sessions', async () => {
    const { connect, control, linked } = await world();
    const auth = await linked();
    const earlier = await connect(auth);
    await earlier.untilOpen();
    await earlier.untilMessage((await control.phone(ANN).sends('before')).messageId);
    await earlier.socket.sendMessage(`9${ANN}@lid`, { text: 'before' });
    await control.waitForMessage(ANN, 'before');
    await control.reset({ anyDevice: true, phones: [{ number: ANN }] });
    const bot = await connect(auth);
    await bot.untilOpen();
    await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'after' });
    await control.waitForMessage(ANN, 'after');
    const { messageId } = await control.phone(ANN).sends('after');
    expect(textOf((await bot.untilMessage(messageId)).message.message)).toBe('after');
  });

  test('the chain of certificates is signed by the root that is given, or by another on demand', async () => {
    const { connect, control } = await world({ certificate: 'forged' });
    // Baileys' check of the signature accepts everything; whoever adds one of his own has this to try it on.
    await (await connect()).untilOpen();
    expect(Buffer.from((await control.state()).trustRoot, 'base64')).toHaveLength(32);
  });
});
