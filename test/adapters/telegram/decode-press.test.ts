import { describe, expect, test } from 'vitest';
import { decodeUpdate } from '../../../src/adapters/telegram/decode.js';
import { toAccountId, toCorrelationId } from '../../../src/core/ids.js';

const context = {
  account: toAccountId('42'),
  bot: { id: 42, username: 'example_bot' },
  correlation: toCorrelationId('corr'),
  receivedAt: 5,
};

const query = {
  id: '777',
  from: { id: 1001, is_bot: false, first_name: 'Ada' },
  chat_instance: '1',
  data: 'qst_1.0',
  message: {
    message_id: 9,
    date: 1,
    from: { id: 42, is_bot: true, first_name: 'Bot' },
    chat: { id: -1009000777, type: 'supergroup', title: 'Test group' },
    message_thread_id: 314,
    is_topic_message: true,
  },
};

describe('a pressed button', () => {
  test('is an action of whoever pressed it, at the place of its message', () => {
    expect(decodeUpdate({ update_id: 1, callback_query: query }, context)).toEqual({
      type: 'action',
      action: 'choose',
      dedupeKey: 'telegram:42:press:777',
      correlation: 'corr',
      receivedAt: 5,
      origin: {
        platform: 'telegram',
        account: '42',
        chat: '-1009000777',
        thread: '314',
        chatKind: 'group',
        chatTitle: 'Test group',
      },
      sender: { user: '1001', displayName: 'Ada', isBot: false },
      token: 'qst_1.0',
      message: '9',
      press: { query: '777' },
    });
  });

  test('of a message that Telegram no longer shows us is one all the same', () => {
    const { chat, message_id } = query.message;
    const event = decodeUpdate(
      { callback_query: { ...query, message: { chat, message_id, date: 0 } } },
      context,
    );
    expect(event).toMatchObject({ action: 'choose', message: '9', origin: { chat: '-1009000777' } });
  });

  test.each([
    ['a game', { ...query, data: undefined, game_short_name: 'chess' }],
    ['a message of another chat', { ...query, message: undefined, inline_message_id: 'x' }],
    ['nobody', { ...query, from: undefined }],
    ['no id', { ...query, id: undefined }],
    ['nonsense', { ...query, message: 'text' }],
  ])('of %s is none', (_what, odd) => {
    expect(decodeUpdate({ callback_query: odd }, context)).toBeUndefined();
  });
});
