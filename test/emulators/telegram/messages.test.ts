import { describe, expect, test } from 'vitest';
import { descriptionOf, refusalOf, useEmulator } from './harness.js';

const stage = useEmulator();
const chat = { chats: [{ id: 1001 }] };

describe('texts', () => {
  test('an empty text and one of white space are refused', async () => {
    const { api, control } = await stage(chat);
    for (const text of ['', '  \n\t ', '\u200b']) {
      expect(await descriptionOf(api.sendMessage(1001, text))).toBe('Bad Request: message text is empty');
    }
    expect(await control.messages(1001)).toEqual([]);
  });

  test('the limit of 4096 units counts UTF-16 and what remains after the markup', async () => {
    const { api } = await stage(chat);
    await api.sendMessage(1001, '😀'.repeat(2048));
    await api.sendMessage(1001, '\\!'.repeat(4096), { parse_mode: 'MarkdownV2' });
    await api.sendMessage(1001, `  ${'x'.repeat(4096)}\n`);
    expect(await descriptionOf(api.sendMessage(1001, `${'😀'.repeat(2048)}a`))).toBe(
      'Bad Request: message is too long',
    );
  });

  test('half a surrogate pair is refused', async () => {
    const { api } = await stage(chat);
    expect(await descriptionOf(api.sendMessage(1001, 'a\ud83d'))).toBe(
      'Bad Request: strings must be encoded in UTF-8',
    );
  });

  test('the message comes back trimmed, with its entities moved and what the server found', async () => {
    const { api } = await stage(chat);
    const sent = await api.sendMessage(1001, '\n  bold see example.com ', {
      entities: [{ type: 'bold', offset: 3, length: 4 }],
    });
    expect(sent.text).toBe('bold see example.com');
    expect(sent.entities).toEqual([
      { type: 'bold', offset: 0, length: 4 },
      { type: 'url', offset: 9, length: 11 },
    ]);
  });
});

describe('edits', () => {
  test('change text, entities and buttons and count', async () => {
    const { api, control } = await stage(chat);
    const { message_id } = await api.sendMessage(1001, 'Hel');
    const edited = await api.editMessageText(1001, message_id, 'Hello');
    expect(edited).toMatchObject({ message_id, text: 'Hello' });
    const [seen] = await control.messages(1001);
    expect(seen).toMatchObject({ text: 'Hello', edits: 1, history: ['Hel', 'Hello'] });
  });

  test('that change nothing are refused, also when only white space differs', async () => {
    const { api, control } = await stage(chat);
    const { message_id } = await api.sendMessage(1001, 'same');
    const refusal = await refusalOf(api.editMessageText(1001, message_id, ' same\n'));
    expect(refusal.description).toBe(
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
    await api.editMessageText(1001, message_id, 'same', {
      entities: [{ type: 'bold', offset: 0, length: 4 }],
    });
    expect((await control.messages(1001))[0]?.edits).toBe(1);
  });

  test('of missing, deleted or foreign messages are refused', async () => {
    const { api, control } = await stage(chat);
    const { messageId = 0 } = await control.sendDirect(1001, 'mine');
    expect(await descriptionOf(api.editMessageText(1001, messageId, 'x'))).toBe(
      "Bad Request: message can't be edited",
    );
    expect(await descriptionOf(api.editMessageText(1001, 99, 'x'))).toBe(
      'Bad Request: message to edit not found',
    );
    const { message_id } = await api.sendMessage(1001, 'gone');
    await api.deleteMessage(1001, message_id);
    expect(await descriptionOf(api.editMessageText(1001, message_id, 'x'))).toBe(
      'Bad Request: message to edit not found',
    );
    expect(await descriptionOf(api.deleteMessage(1001, message_id))).toBe(
      'Bad Request: message to delete not found',
    );
    const all = await control.messages(1001, { deleted: true });
    expect(all.map((message) => [message.text, message.deleted])).toEqual([
      ['mine', false],
      ['gone', true],
    ]);
  });

  test('that are too long have another name than sends', async () => {
    const { api } = await stage(chat);
    const { message_id } = await api.sendMessage(1001, 'x');
    const refused = api.editMessageText(1001, message_id, 'x'.repeat(4097));
    expect(await descriptionOf(refused)).toBe('Bad Request: MESSAGE_TOO_LONG');
  });
});

describe('replies', () => {
  test('name a message that is there', async () => {
    const { api, control } = await stage();
    const { messageId = 0 } = await control.sendDirect(1001, 'question');
    const sent = await api.sendMessage(1001, 'answer', {
      reply_parameters: { message_id: messageId, quote: 'quest' },
    });
    expect(sent.reply_to_message?.message_id).toBe(messageId);
    expect((await control.messages(1001)).at(-1)?.replyTo).toBe(messageId);
  });

  test('to a missing message are refused unless the reply may be left out', async () => {
    const { api } = await stage(chat);
    const reply = { message_id: 77 };
    const refused = api.sendMessage(1001, 'x', { reply_parameters: reply });
    expect(await descriptionOf(refused)).toBe('Bad Request: message to be replied not found');
    const sent = await api.sendMessage(1001, 'x', {
      reply_parameters: { ...reply, allow_sending_without_reply: true },
    });
    expect(sent.reply_to_message).toBeUndefined();
  });
});

describe('threads', () => {
  const forum = -1009000777;
  const spec = {
    chats: [
      { id: forum, topics: [{ id: 314 }, { id: 315, closed: true }] },
      { id: 1001 },
      { id: 1002, topics: [{ id: 42 }] },
    ],
  };

  test('a topic takes messages and an unknown, closed or General one does not', async () => {
    const { api, control } = await stage(spec);
    const sent = await api.sendMessage(forum, 'x', { message_thread_id: 314 });
    expect(sent).toMatchObject({ message_thread_id: 314, is_topic_message: true });
    const send = (id: number): Promise<string> =>
      descriptionOf(api.sendMessage(forum, 'x', { message_thread_id: id }));
    expect(await send(1)).toBe('Bad Request: message thread not found');
    expect(await send(999)).toBe('Bad Request: message thread not found');
    expect(await send(315)).toBe('Bad Request: TOPIC_CLOSED');
    await api.sendMessage(forum, 'to General');
    expect((await control.messages(forum)).map((message) => message.threadId)).toEqual([314, undefined]);
  });

  test('typing may name General', async () => {
    const { api } = await stage(spec);
    expect(await api.sendChatAction(forum, 'typing', { message_thread_id: 1 })).toBe(true);
    expect((await refusalOf(api.sendChatAction(forum, 'typing', { message_thread_id: 9 }))).error_code).toBe(
      400,
    );
  });

  test('a private chat has threads only when it was declared so', async () => {
    const { api } = await stage(spec);
    const refused = api.sendMessage(1001, 'x', { message_thread_id: 42 });
    expect(await descriptionOf(refused)).toBe('Bad Request: message thread not found');
    expect((await api.sendMessage(1002, 'x', { message_thread_id: 42 })).message_thread_id).toBe(42);
  });

  test('a new topic can be written to until it is closed', async () => {
    const { api } = await stage(spec);
    const { message_thread_id } = await api.createForumTopic(forum, 'News');
    await api.sendMessage(forum, 'x', { message_thread_id });
    await api.closeForumTopic(forum, message_thread_id);
    expect(await descriptionOf(api.sendMessage(forum, 'x', { message_thread_id }))).toBe(
      'Bad Request: TOPIC_CLOSED',
    );
  });
});

describe('chats', () => {
  test.each([
    [{ id: 1, standing: 'blocked' as const }, 403, 'Forbidden: bot was blocked by the user'],
    [{ id: 2, standing: 'deactivated' as const }, 403, 'Forbidden: user is deactivated'],
    [{ id: -3, standing: 'kicked' as const }, 403, 'Forbidden: bot was kicked from the group chat'],
    [
      { id: -1009000003, standing: 'kicked' as const },
      403,
      'Forbidden: bot was kicked from the supergroup chat',
    ],
    [
      { id: -1009000004, standing: 'left' as const },
      403,
      'Forbidden: bot is not a member of the supergroup chat',
    ],
    [{ id: 5, standing: 'not-found' as const }, 400, 'Bad Request: chat not found'],
  ])('a chat as %j answers %i', async (spec, code, description) => {
    const { api } = await stage({ chats: [spec] });
    const refusal = await refusalOf(api.sendMessage(spec.id, 'x'));
    expect([refusal.error_code, refusal.description]).toEqual([code, description]);
  });

  test('an unknown chat is not found, a known one also by its name', async () => {
    const { api } = await stage({ chats: [{ id: -1009000009, username: 'Our_Channel', type: 'channel' }] });
    expect(await descriptionOf(api.sendMessage(404, 'x'))).toBe('Bad Request: chat not found');
    expect((await api.sendMessage('@our_channel', 'x')).chat.id).toBe(-1009000009);
    expect((await api.getChat('@our_channel')).type).toBe('channel');
  });

  test('a migrated group names its successor', async () => {
    const { api } = await stage({ chats: [{ id: -501, migratedTo: -1009000501 }] });
    const refusal = await refusalOf(api.sendMessage(-501, 'x'));
    expect(refusal.description).toBe('Bad Request: group chat was upgraded to a supergroup chat');
    expect(refusal.parameters).toEqual({ migrate_to_chat_id: -1009000501 });
  });

  test('message ids count per chat and begin where the world says', async () => {
    const { api, control } = await stage({
      startIds: { message: 500, update: 9000 },
      chats: [{ id: 1 }, { id: 2 }],
    });
    const ids = [await api.sendMessage(1, 'a'), await api.sendMessage(1, 'b'), await api.sendMessage(2, 'c')];
    expect(ids.map((message) => message.message_id)).toEqual([500, 501, 500]);
    expect((await control.sendDirect(3, 'x')).updateId).toBe(9000);
  });
});

describe('buttons and reactions', () => {
  test('button data has 1 to 64 bytes', async () => {
    const { api, control } = await stage(chat);
    const send = (callback_data: string): Promise<unknown> =>
      api.sendMessage(1001, 'x', { reply_markup: { inline_keyboard: [[{ text: 'b', callback_data }]] } });
    await send('é'.repeat(32));
    expect(await descriptionOf(send('é'.repeat(33)))).toBe('Bad Request: BUTTON_DATA_INVALID');
    expect(await descriptionOf(send(''))).toBe('Bad Request: BUTTON_DATA_INVALID');
    expect((await control.messages(1001))[0]?.buttons).toEqual([
      [{ text: 'b', callbackData: 'é'.repeat(32) }],
    ]);
  });

  test('a reaction is one of the known ones on a message that is there', async () => {
    const { api, control } = await stage();
    const { messageId = 0 } = await control.sendDirect(1001, 'x');
    await api.setMessageReaction(1001, messageId, [{ type: 'emoji', emoji: '👀' }]);
    expect((await control.messages(1001))[0]?.reactions).toEqual(['👀']);
    const odd = [{ type: 'emoji', emoji: '🧨' }] as never;
    expect(await descriptionOf(api.setMessageReaction(1001, messageId, odd))).toBe(
      'Bad Request: REACTION_INVALID',
    );
    expect((await refusalOf(api.setMessageReaction(1001, 99, []))).error_code).toBe(400);
  });
});
