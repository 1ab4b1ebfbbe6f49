import { describe, expect, test } from 'vitest';
import { ANN, type BareBot, BOB, GROUP, textOf, useEmulator } from './harness.js';

const world = useEmulator();

describe('faults', () => {
  test('a message that does not decrypt is asked for again and comes', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    await bot.untilMessage((await ann.sends('one')).messageId);
    const broken = await ann.sends('two', { corrupt: true });
    await untilText(bot, broken.messageId, 'two');
    const inGroup = await ann.sends('three', { chat: GROUP, corrupt: true });
    await untilText(bot, inGroup.messageId, 'three');
    await untilText(bot, (await ann.sends('four', { chat: GROUP })).messageId, 'four');
    await control.wait({ kind: 'calls', call: '^receipt retry', count: 2 });
    await control.wait({ kind: 'delivered' });
  });

  test('a message that nobody sends again stays unreadable', async () => {
    const { connect, control } = await world({ answersRetries: false });
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('lost', { corrupt: true });
    await control.wait({ kind: 'calls', call: '^receipt retry', count: 1 });
    const { message } = await bot.untilMessage(messageId);
    expect([message.message, message.messageStubType]).toEqual([undefined, 2]);
  });

  test('a stanza that comes twice reaches the client twice, and does not decrypt again', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('once', { twice: true });
    await bot.untilMessage(messageId);
    await control.redeliver(messageId);
    await control.wait({ kind: 'calls', call: '^ack message', count: 2 });
    const texts = bot.upserts.filter(({ message }) => textOf(message.message) === 'once');
    expect(texts).toHaveLength(1);
  });

  test('the same message in a new session comes as if it were new', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    const { messageId } = await ann.sends('again');
    await bot.untilMessage(messageId);
    await ann.sends('again', { id: messageId, append: true, freshSession: true });
    await bot.until(
      'the second',
      () => bot.upserts.filter(({ message }) => message.key.id === messageId).length === 2,
    );
    expect(bot.upserts.map(({ type }) => type)).toEqual(['notify', 'append']);
  });

  test('a phone asks for a message again and gets it', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const sent = await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'once more' });
    await control.waitForMessage(ANN, 'once more');
    await control.phone(ANN).asksAgain(sent!.key.id ?? '');
    await control.waitForChat(ANN, ([message]) => message?.times === 2);
    const inGroup = await bot.socket.sendMessage(GROUP, { text: 'all of you' });
    await control.waitForMessage(GROUP, 'all');
    await control.phone(BOB).asksAgain(inGroup!.key.id ?? '');
    await control.waitForChat(GROUP, ([message]) => message?.times === 2);
    expect((await control.state()).undecryptable).toBe(0);
  });

  test.each([
    ['463', 'a restricted account'],
    ['429', 'a rate limit'],
  ])('a message is refused with %s, as for %s', async (code) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.fault({ call: `^message ${ANN}`, action: { kind: 'answer', code: Number(code) } });
    await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'refused' });
    // Baileys folds it into the upsert of the own message when both are still held back.
    await bot.until('a refusal', () =>
      JSON.stringify([bot.messageUpdates, bot.upserts]).includes(`"messageStubParameters":["${code}"`),
    );
    expect(await control.sent()).toEqual([]);
    await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'taken' });
    await control.waitForMessage(ANN, 'taken');
  });

  test('an account that may begin no new chats is told so', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.waitForReady();
    const restriction = { is_active: true, time_enforcement_ends: '4100000000', enforcement_type: 'DEFAULT' };
    await control.stanza('notification', { id: 'R1', from: 's.whatsapp.net', type: 'mex' }, [
      {
        tag: 'update',
        attrs: { op_name: 'NotificationUserReachoutTimelockUpdate' },
        content: JSON.stringify({ data: { xwa2_notify_account_reachout_timelock: restriction } }),
      },
    ]);
    await bot.until('the restriction', () =>
      bot.updates.find(({ reachoutTimeLock }) => reachoutTimeLock?.isActive),
    );
  });

  test.each([true, false])('the connection is cut at a message that is applied: %s', async (applied) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.fault({ call: '^message', contains: 'cut me', action: { kind: 'cut', applied } });
    await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'cut me' });
    expect(await bot.untilClosed()).toBe(428);
    expect(await control.botTexts(ANN)).toEqual(applied ? ['cut me'] : []);
  });

  test('an acknowledgement is held back, lost, or becomes a stream error', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    const acks: string[] = [];
    bot.socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: { id: string } }) => acks.push(attrs.id));
    await bot.untilOpen();
    const send = async (text: string) => (await bot.socket.sendMessage(`9${ANN}@lid`, { text }))?.key.id;
    await control.fault({ call: '^message', contains: 'late', action: { kind: 'hold', applied: true } });
    await control.fault({ call: '^message', contains: 'lost', action: { kind: 'silence', applied: true } });
    await control.fault({
      call: '^message',
      contains: 'end',
      action: { kind: 'stream-error', code: 503, applied: true },
    });
    const ids = [await send('late'), await send('lost'), await send('plain')];
    await control.waitForMessage(ANN, 'plain');
    await bot.socket.query({ tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p' } });
    expect(acks).toEqual([ids[2]]);
    await control.release();
    await bot.socket.query({ tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p' } });
    expect(acks).toEqual([ids[2], ids[0]]);
    await send('end');
    expect(await bot.untilClosed()).toBe(503);
    expect(await control.botTexts(ANN)).toEqual(['late', 'lost', 'plain', 'end']);
  });

  test('what was not acknowledged before a connection broke comes again', async () => {
    const { connect, control, linked } = await world();
    const auth = await linked();
    const deaf = await connect(auth, { shouldIgnoreJid: () => false });
    await deaf.untilOpen();
    await control.waitForReady();
    await control.end('cut');
    await deaf.untilClosed();
    const { messageId } = await control.phone(ANN).sends('while away');
    expect((await control.state()).waiting).toBe(1);
    const bot = await connect(auth);
    await untilText(bot, messageId, 'while away');
    await control.wait({ kind: 'delivered' });
  });

  test('a stanza that makes no sense is not the end of the connection', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.waitForReady();
    await control.stanza('message', { id: 'BAD', from: 'nobody' }, [
      { tag: 'enc', attrs: { type: 'pkmsg' } },
    ]);
    await control.wait({ kind: 'calls', call: '^ack message 500', count: 1 });
    const { messageId } = await control.phone(ANN).sends('still here?');
    await bot.untilMessage(messageId);
  });
});

async function untilText(bot: BareBot, id: string, text: string): Promise<void> {
  await bot.until(`the text ${text}`, () =>
    bot.upserts.find(({ message }) => message.key.id === id && textOf(message.message) === text),
  );
}
