import { normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import { describe, expect, test } from 'vitest';
import { ANN, BOB, BOT, GROUP, textOf, useEmulator } from './harness.js';

const world = useEmulator();

describe('messages', () => {
  test('a private text comes with both ids of its sender', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const first = await control.phone(ANN).sends('from the hidden id');
    const second = await control.phone(BOB).sends('from the number');
    expect((await bot.untilMessage(first.messageId)).message.key).toMatchObject({
      remoteJid: `9${ANN}@lid`,
      remoteJidAlt: `${ANN}@s.whatsapp.net`,
      fromMe: false,
    });
    const { message } = await bot.untilMessage(second.messageId);
    expect(message.key).toMatchObject({ remoteJid: `${BOB}@s.whatsapp.net`, remoteJidAlt: `9${BOB}@lid` });
    expect(message.pushName).toBe('Bob');
    await control.wait({ kind: 'delivered' });
  });

  test('what the bot answers is decrypted by the phone, and by the own phone too', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('ask');
    const { message } = await bot.untilMessage(messageId);
    const jid = message.key.remoteJid ?? '';
    await bot.socket.sendMessage(jid, { text: 'answer' }, { quoted: message });
    await control.waitForMessage(ANN, 'answer');
    await bot.socket.sendMessage(jid, { text: 'second' });
    await control.waitForMessage(ANN, 'second');
    const [answer] = await control.sent();
    expect(answer).toMatchObject({ kind: 'text', text: 'answer', quotedId: messageId, chat: ANN, times: 1 });
    expect([...(answer?.receivedBy ?? [])].sort()).toEqual([ANN, BOT]);
    expect(await control.state()).toMatchObject({ undecryptable: 0, complaints: [] });
  });

  test('a cold first message finds a person by the number', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    expect(await bot.socket.onWhatsApp(`+${ANN}`, '+15550190000')).toEqual([
      { jid: `${ANN}@s.whatsapp.net`, exists: true },
    ]);
    await bot.socket.sendMessage(`${ANN}@s.whatsapp.net`, { text: 'good morning' });
    await control.waitForMessage(ANN, 'good morning');
  });

  test('edits, reactions and deletions of the bot show in the chat', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const jid = `9${ANN}@lid`;
    const { messageId } = await control.phone(ANN).sends('ask');
    await bot.untilMessage(messageId);
    const sent = await bot.socket.sendMessage(jid, { text: 'draft' });
    const gone = await bot.socket.sendMessage(jid, { text: 'a slip' });
    await bot.socket.sendMessage(jid, { text: 'final', edit: sent!.key });
    await bot.socket.sendMessage(jid, { delete: gone!.key });
    await bot.socket.sendMessage(jid, {
      react: { text: '👍', key: { remoteJid: jid, id: messageId, fromMe: false } },
    });
    const chat = await control.waitForChat(ANN, (all) =>
      all.some(({ reactions }) => reactions['bot'] === '👍'),
    );
    expect(chat.find(({ id }) => id === messageId)?.reactions).toEqual({ bot: '👍' });
    expect(await control.botTexts(ANN)).toEqual(['final']);
    expect((await control.sent()).map(({ kind }) => kind)).toEqual([
      'text',
      'text',
      'edit',
      'delete',
      'reaction',
    ]);
  });

  test('edits, reactions and deletions of a phone come to the bot', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    const { messageId } = await ann.sends('tpyo');
    await bot.untilMessage(messageId);
    const own = await bot.socket.sendMessage(`9${ANN}@lid`, { text: 'like me' });
    await control.waitForMessage(ANN, 'like me');
    const edit = await ann.edits(messageId, 'typo');
    await ann.reacts(own!.key.id ?? '', '❤️');
    await ann.deletes(messageId);
    const { message } = await bot.untilMessage(edit.messageId);
    expect(normalizeMessageContent(message.message)?.protocolMessage?.editedMessage?.conversation).toBe(
      'typo',
    );
    await bot.until('a deletion', () => JSON.stringify(bot.messageUpdates).includes('"messageStubType":1'));
    expect(bot.reactions).toMatchObject([
      { key: { id: own!.key.id, fromMe: true }, reaction: { text: '❤️' } },
    ]);
  });

  test('a poll of the bot is voted on', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const poll = await bot.socket.sendMessage(`${ANN}@s.whatsapp.net`, {
      poll: { name: 'Tea?', values: ['yes', 'no'], selectableCount: 1 },
    });
    await control.waitForMessage(ANN, 'Tea?');
    expect((await control.sent())[0]).toMatchObject({ kind: 'poll', options: ['yes', 'no'] });
    const { messageId } = await control.phone(ANN).votes(poll!.key.id ?? '', ['yes']);
    const { message } = await bot.untilMessage(messageId);
    expect(message.message?.pollUpdateMessage?.pollCreationMessageKey?.id).toBe(poll!.key.id);
  });

  test('wrapped messages are what they are around', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    const wrapped = await ann.sends('inside', { wrap: ['ephemeral', 'view-once-v2'] });
    const strange = await ann.sends('hidden', { wrap: ['unknown'] });
    const { message } = await bot.untilMessage(wrapped.messageId);
    expect(message.message?.ephemeralMessage?.message?.viewOnceMessageV2?.message?.conversation).toBe(
      'inside',
    );
    expect(textOf(normalizeMessageContent((await bot.untilMessage(strange.messageId)).message.message))).toBe(
      '',
    );
  });

  test('what a phone wrote while nobody listened comes at the next login, as history', async () => {
    const { connect, control, linked } = await world();
    const auth = await linked();
    const { messageId } = await control.phone(ANN).sends('are you there?');
    const bot = await connect(auth);
    await bot.untilOpen();
    const { message, type } = await bot.untilMessage(messageId);
    expect([textOf(message.message), type]).toEqual(['are you there?', 'append']);
    await control.wait({ kind: 'delivered' });
  });

  test('a person has more than one device', async () => {
    const { connect, control } = await world({ phones: [{ number: ANN, devices: [0, 3] }], groups: [] });
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control
      .phone(ANN)
      .sends('from my computer', { device: 3, addressing: 'pn', ephemeralSeconds: 86_400 });
    const { message } = await bot.untilMessage(messageId);
    expect(message.key).toMatchObject({ remoteJid: `${ANN}@s.whatsapp.net`, remoteJidAlt: `9${ANN}@lid` });
    expect(message.message?.extendedTextMessage?.contextInfo?.expiration).toBe(86_400);
    await bot.socket.sendMessage(
      message.key.remoteJid ?? '',
      { text: 'to all of them' },
      { ephemeralExpiration: 86_400 },
    );
    const [sent] = await control.waitForSent(({ length }) => length === 1);
    expect(sent).toMatchObject({ text: 'to all of them', ephemeralSeconds: 86_400 });
    expect(await control.state()).toMatchObject({ undecryptable: 0, complaints: [] });
  });

  test('a message without its content is asked of the own phone', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('look', { unavailable: 'view_once' });
    await bot.untilMessage(messageId);
    await control.phone(ANN).sends('ask for me', { unavailable: 'hosted_unavailable_fanout' });
    await bot.socket.requestPlaceholderResend({ remoteJid: `9${ANN}@lid`, id: messageId, fromMe: false });
    await control.wait({ kind: 'calls', call: ' peer$', count: 1 });
    await bot.until('the content', () =>
      bot.upserts.find(({ message }) => textOf(message.message) === 'look'),
    );
  });

  test('the own phone writes to itself and to others, and the bot sees both as its own', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const own = control.phone(BOT);
    const toSelf = await own.sends('note to self');
    const toAnn = await own.sends('hello Ann', { chat: ANN });
    expect((await bot.untilMessage(toSelf.messageId)).message.key).toMatchObject({
      fromMe: true,
      remoteJid: `9${BOT}@lid`,
      remoteJidAlt: `${BOT}@s.whatsapp.net`,
    });
    expect((await bot.untilMessage(toAnn.messageId)).message.key).toMatchObject({
      fromMe: true,
      remoteJid: `9${ANN}@lid`,
    });
    await bot.socket.sendMessage(`9${BOT}@lid`, { text: 'noted' });
    await control.waitForMessage(BOT, 'noted');
  });

  test.each(['status@broadcast', '1200@broadcast', '1201@newsletter'])('%s is heard', async (chat) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('hello', { chat });
    const { message } = await bot.untilMessage(messageId);
    expect([message.key.remoteJid, textOf(message.message)]).toEqual([chat, 'hello']);
  });

  test('typing, presence and read receipts are seen', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends('ask');
    const { message } = await bot.untilMessage(messageId);
    await bot.socket.readMessages([message.key]);
    await bot.socket.sendPresenceUpdate('composing', message.key.remoteJid ?? '');
    await control.wait({ kind: 'calls', call: `^chatstate composing ${ANN}`, count: 1 });
    await control.wait({ kind: 'calls', call: `^receipt read ${ANN}`, count: 1 });
    expect(await control.receipts()).toContainEqual({ type: 'read', chat: ANN, ids: [messageId] });
  });

  test('a phone says that a message came and was read', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const sent = await bot.socket.sendMessage(`${ANN}@s.whatsapp.net`, { text: 'news' });
    await control.waitForMessage(ANN, 'news');
    await control.phone(ANN).reads([sent!.key.id ?? '']);
    await bot.until('a read receipt', () =>
      bot.messageUpdates.find((update) =>
        JSON.stringify(update).includes(`"status":${proto.WebMessageInfo.Status.READ}`),
      ),
    );
  });
});

describe('groups', () => {
  test('messages go both ways with sender keys', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ids = [];
    for (const text of ['first', 'second'])
      ids.push((await control.phone(ANN).sends(text, { chat: GROUP })).messageId);
    ids.push((await control.phone(BOB).sends('third', { chat: GROUP, mentions: [BOT] })).messageId);
    const got = [];
    for (const id of ids) got.push((await bot.untilMessage(id)).message);
    expect(got.map(({ message }) => textOf(message))).toEqual(['first', 'second', 'third']);
    expect(got[0]?.key).toMatchObject({
      remoteJid: GROUP,
      participant: `9${ANN}@lid`,
      participantAlt: `${ANN}@s.whatsapp.net`,
    });
    expect(got[2]?.message?.extendedTextMessage?.contextInfo?.mentionedJid).toEqual([`9${BOT}@lid`]);
    for (const text of ['one', 'two'])
      await bot.socket.sendMessage(GROUP, { text, mentions: [`9${ANN}@lid`] });
    const sent = await control.waitForSent(({ length }) => length === 2);
    expect(sent.map(({ text, mentions }) => [text, mentions])).toEqual([
      ['one', [ANN]],
      ['two', [ANN]],
    ]);
    expect([...(sent[1]?.receivedBy ?? [])].sort()).toEqual([ANN, BOB, BOT]);
    expect(await control.state()).toMatchObject({ undecryptable: 0, complaints: [] });
  });

  test('its name and its members are told to members only', async () => {
    const { connect, control } = await world();
    await control.setGroup({ id: '120363000000000002@g.us', members: [ANN], withoutBot: true });
    const bot = await connect();
    await bot.untilOpen();
    const group = await bot.socket.groupMetadata(GROUP);
    expect([group.subject, group.addressingMode, group.participants.length]).toEqual(['Plans', 'lid', 3]);
    expect(Object.keys(await bot.socket.groupFetchAllParticipating())).toEqual([GROUP]);
    await expect(bot.socket.groupMetadata('120363000000000002@g.us')).rejects.toThrow('forbidden');
  });

  test('who comes and goes, and a new name, are told', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    await control.waitForReady();
    await control.setGroup({ id: GROUP, subject: 'New plans', members: [ANN] });
    await control.setGroup({ id: GROUP, subject: 'New plans', members: [ANN], withoutBot: true });
    await control.wait({ kind: 'delivered' });
    const told = bot.upserts.map(({ message }) => [
      message.messageStubType,
      message.messageStubParameters?.join(),
    ]);
    const { GROUP_PARTICIPANT_REMOVE, GROUP_CHANGE_SUBJECT } = proto.WebMessageInfo.StubType;
    expect(told).toEqual([
      [GROUP_PARTICIPANT_REMOVE, expect.stringContaining(BOB)],
      [GROUP_CHANGE_SUBJECT, 'New plans'],
      [GROUP_PARTICIPANT_REMOVE, expect.stringContaining(BOT)],
    ]);
  });
});
