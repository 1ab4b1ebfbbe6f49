import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUpdate } from '../../../src/adapters/telegram/decode.js';
import { toAccountId, toCorrelationId } from '../../../src/core/ids.js';
import type { InboundEvent, InboundMessage } from '../../../src/core/inbound.js';
import { propertyRuns } from '../../setup/property-runs.js';

const bot = { id: 7000000001, username: 'Hermes_Test_Bot' };
const context = {
  account: toAccountId('7000000001'),
  bot,
  correlation: toCorrelationId('c-1'),
  receivedAt: 1_700_000_000_500,
};

const ada = { id: 1001, is_bot: false, first_name: 'Ada', last_name: 'Example' };
const privateChat = { id: 1001, type: 'private', first_name: 'Ada', last_name: 'Example' };
const group = { id: -1009000777, type: 'supergroup', title: 'Test group' };
const base = { message_id: 42, date: 1_700_000_000, from: ada, chat: privateChat };

const decode = (fields: object, kind = 'message'): InboundEvent | undefined =>
  decodeUpdate({ update_id: 1, [kind]: { ...base, ...fields } }, context);

const decodeText = (fields: object): InboundMessage => {
  const event = decode(fields);
  if (event?.type !== 'message') throw new Error(`no message: ${JSON.stringify(event)}`);
  return event;
};

const entity = (type: string, text: string, part: string, more: object = {}): object => ({
  type,
  offset: text.indexOf(part),
  length: part.length,
  ...more,
});

describe('a text message', () => {
  test('in private carries everything a person would want to know', () => {
    expect(decode({ text: 'hello' })).toEqual({
      type: 'message',
      dedupeKey: 'telegram:7000000001:1001:42',
      correlation: 'c-1',
      receivedAt: 1_700_000_000_500,
      origin: {
        platform: 'telegram',
        account: '7000000001',
        chat: '1001',
        chatKind: 'direct',
        chatTitle: 'Ada Example',
      },
      sender: { user: '1001', displayName: 'Ada Example', isBot: false },
      message: '42',
      sentAt: 1_700_000_000_000,
      parts: [{ type: 'text', text: 'hello' }],
      addressed: 'direct',
    });
  });

  test('keeps its key when it comes again under another update id', () => {
    const first = decodeUpdate({ update_id: 1, message: { ...base, text: 'x' } }, context);
    const second = decodeUpdate({ update_id: 99, message: { ...base, text: 'x' } }, context);
    expect(first?.dedupeKey).toBe(second?.dedupeKey);
  });

  test('of a channel comes from the channel', () => {
    const channel = { id: -1005, type: 'channel', title: 'News' };
    const event = decode({ from: undefined, chat: channel, sender_chat: channel, text: 'x' }, 'channel_post');
    expect(event).toMatchObject({
      origin: { chatKind: 'channel', chat: '-1005' },
      sender: { user: '-1005', displayName: 'News' },
      addressed: 'none',
    });
  });

  test('of an anonymous administrator comes from the group, not from the account it is lent', () => {
    const lent = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
    const { sender } = decodeText({ chat: group, from: lent, sender_chat: group, text: 'x' });
    expect(sender).toEqual({ user: '-1009000777', displayName: 'Test group', isBot: false });
  });

  test.each([
    ['another bot', { id: 5, is_bot: true, first_name: 'Other' }],
    ['ourselves', { id: bot.id, is_bot: true, first_name: 'Hermes' }],
  ])('of %s is left out', (_, from) => {
    expect(decode({ chat: group, from, text: '@Hermes_Test_Bot hi' })).toBeUndefined();
  });

  test('sent by way of another bot is a message of its sender', () => {
    expect(decodeText({ via_bot: { id: 5, is_bot: true }, text: 'x' }).sender.user).toBe('1001');
  });
});

describe('topics', () => {
  test('a topic is a thread', () => {
    const { origin } = decodeText({ chat: group, text: 'x', is_topic_message: true, message_thread_id: 314 });
    expect(origin.thread).toBe('314');
  });

  test('the General topic is the chat itself', () => {
    const { origin } = decodeText({ chat: group, text: 'x', is_topic_message: true, message_thread_id: 1 });
    expect(origin).not.toHaveProperty('thread');
  });

  test('a thread of replies in an ordinary group is no topic', () => {
    expect(decodeText({ chat: group, text: 'x', message_thread_id: 17 }).origin).not.toHaveProperty('thread');
  });

  test('a topic of a private chat is a thread', () => {
    expect(decodeText({ text: 'x', is_topic_message: true, message_thread_id: 42 }).origin.thread).toBe('42');
  });

  test('the message that opened a topic is not taken for one that is answered', () => {
    const event = decodeText({
      chat: group,
      text: 'x',
      is_topic_message: true,
      message_thread_id: 314,
      reply_to_message: {
        message_id: 314,
        from: { id: bot.id, is_bot: true },
        chat: group,
        forum_topic_created: { name: 'T' },
      },
    });
    expect(event).not.toHaveProperty('replyTo');
    expect(event.addressed).toBe('none');
  });
});

describe('being addressed in a group', () => {
  const inGroup = (text: string, entities: readonly object[], more: object = {}): InboundMessage =>
    decodeText({ chat: group, text, entities, ...more });

  test.each([
    ['@hermes_test_bot what is up?', 'what is up?'],
    ['@Hermes_Test_Bot, what is up?', 'what is up?'],
    ['what is up @HERMES_TEST_BOT', 'what is up'],
    ['🙂 ask @hermes_test_bot about it', '🙂 ask @hermes_test_bot about it'],
    ['@hermes_test_bot', '@hermes_test_bot'],
  ])('"%s" asks us "%s"', (text, asked) => {
    const name = /@hermes_test_bot/iu.exec(text)?.[0] ?? '';
    const event = inGroup(text, [entity('mention', text, name)]);
    expect(event.addressed).toBe('mention');
    expect(event.parts).toEqual([{ type: 'text', text: asked }]);
  });

  test('a mention without a name counts by its user', () => {
    const text = 'Hermes tell me';
    const event = inGroup(text, [entity('text_mention', text, 'Hermes', { user: { id: bot.id } })]);
    expect(event).toMatchObject({ addressed: 'mention', parts: [{ text: 'tell me' }] });
  });

  test('our name counts only as an entity: in code or as a part of a longer name it is text', () => {
    expect(inGroup('@hermes_test_bot_two hi', [{ type: 'mention', offset: 0, length: 20 }]).addressed).toBe(
      'none',
    );
    expect(inGroup('see @hermes_test_bot', []).addressed).toBe('none');
  });

  test('a mention in a caption counts', () => {
    const caption = '@hermes_test_bot what is this?';
    const event = decodeText({
      chat: group,
      photo: [{ file_id: 'a' }],
      caption,
      caption_entities: [entity('mention', caption, '@hermes_test_bot')],
    });
    expect(event.addressed).toBe('mention');
    expect(event.parts).toMatchObject([{ type: 'media', kind: 'image', caption: 'what is this?' }]);
  });

  test('an answer to one of our messages counts', () => {
    const quoted = {
      message_id: 41,
      from: { id: bot.id, is_bot: true, first_name: 'Hermes' },
      text: 'earlier',
    };
    const event = decodeText({ chat: group, text: 'and now?', reply_to_message: quoted });
    expect(event.addressed).toBe('reply');
    expect(event.replyTo).toEqual({ message: '41', text: 'earlier', senderName: 'Hermes' });
  });

  test('a command with our name loses the name', () => {
    const text = '/new@Hermes_Test_Bot please';
    const event = inGroup(text, [entity('bot_command', text, '/new@Hermes_Test_Bot')]);
    expect(event).toMatchObject({ addressed: 'mention', parts: [{ text: '/new please' }] });
  });

  test('a command for another bot is left out', () => {
    const text = '/new@other_bot';
    expect(decode({ chat: group, text, entities: [entity('bot_command', text, text)] })).toBeUndefined();
  });

  test('talk among others is not for us', () => {
    expect(inGroup('lunch?', []).addressed).toBe('none');
  });
});

describe('answers', () => {
  test('a long quoted text is cut without breaking a character', () => {
    const text = `${'x'.repeat(998)}${'🙂'.repeat(10)}`;
    const { replyTo } = decodeText({ text: 'a', reply_to_message: { message_id: 1, from: ada, text } });
    expect(replyTo?.text).toBe(`${'x'.repeat(998)}…`);
  });

  test('the chosen part of a quoted message is preferred', () => {
    const { replyTo } = decodeText({
      text: 'a',
      quote: { text: 'this bit' },
      reply_to_message: { message_id: 1, from: ada, text: 'all of it, with this bit' },
    });
    expect(replyTo).toEqual({ message: '1', text: 'this bit', senderName: 'Ada Example' });
  });

  test('a quoted picture is described', () => {
    const { replyTo } = decodeText({
      text: 'a',
      reply_to_message: { message_id: 1, from: ada, photo: [{}], caption: 'my cat' },
    });
    expect(replyTo?.text).toBe('a photo\nmy cat');
  });
});

describe('what belongs together', () => {
  test('SE-04 the pictures of an album carry its id, and each its own caption', () => {
    const photo = [{ file_id: 'a', width: 1, height: 1 }];
    const event = decodeText({ media_group_id: '77', photo, caption: 'before' });
    expect(event).toMatchObject({ album: '77', parts: [{ type: 'media', caption: 'before' }] });
    expect(decodeText({ photo }).album).toBeUndefined();
  });

  test('SE-05 a text near the limit of a message may go on, a shorter one or a caption does not', () => {
    expect(decodeText({ text: 'x'.repeat(4096) }).mayContinue).toBe(true);
    expect(decodeText({ text: `${'x'.repeat(3950)} ` }).mayContinue).toBe(true);
    expect(decodeText({ text: 'x'.repeat(3000) }).mayContinue).toBeUndefined();
    const caption = 'x'.repeat(4000);
    expect(
      decodeText({ photo: [{ file_id: 'a', width: 1, height: 1 }], caption }).mayContinue,
    ).toBeUndefined();
  });
});

describe('forwarded messages', () => {
  test.each<[string, object]>([
    ['Bob', { type: 'user', sender_user: { id: 5, first_name: 'Bob' } }],
    ['a hidden person', { type: 'hidden_user', sender_user_name: 'a hidden person' }],
    ['News', { type: 'channel', chat: { id: -1001, type: 'channel', title: 'News' }, message_id: 3 }],
    ['Team', { type: 'chat', sender_chat: { id: -1002, type: 'group', title: 'Team' } }],
    ['somebody', { type: 'of the future' }],
  ])('TG-14 names %s as the author, and the forwarder as the sender', (name, forward_origin) => {
    const event = decodeText({ text: 'hello', forward_origin });
    expect(event.sender.user).toBe(String(ada.id));
    expect(event.parts).toEqual([
      { type: 'described', description: `a message forwarded from ${name}` },
      { type: 'text', text: 'hello' },
    ]);
  });
});

describe('answers to messages of other chats', () => {
  test('show the chosen words and their author', () => {
    const origin = { type: 'user', sender_user: { id: 5, first_name: 'Bob' } };
    const event = decodeText({ text: 'true?', external_reply: { origin }, quote: { text: 'the moon' } });
    expect(event.replyTo).toBeUndefined();
    expect(event.parts).toEqual([
      { type: 'described', description: 'a message of Bob in another chat: “the moon”' },
      { type: 'text', text: 'true?' },
    ]);
  });

  test('name a file where nothing is chosen', () => {
    const external_reply = { origin: { type: 'hidden_user', sender_user_name: 'X' }, photo: [{}] };
    expect(decodeText({ text: 'nice', external_reply }).parts[0]).toMatchObject({
      description: 'a message of X in another chat: “a photo”',
    });
  });
});

describe('edits', () => {
  const edited = (fields: object): InboundEvent | undefined =>
    decode({ edit_date: 5, ...fields }, 'edited_message');

  test('an edit carries the whole new text and refers to its message', () => {
    expect(edited({ text: 'better' })).toMatchObject({
      type: 'edit',
      message: '42',
      parts: [{ type: 'text', text: 'better' }],
      addressed: 'direct',
    });
  });

  test('each edit has a key of its own, the same one when it comes again', () => {
    const keys = [edited({ text: 'a' }), edited({ text: 'b' }), edited({ text: 'a', edit_date: 6 })];
    expect(new Set(keys.map((event) => event?.dedupeKey)).size).toBe(3);
    expect(edited({ text: 'a' })?.dedupeKey).toBe(keys[0]?.dedupeKey);
    expect(decode({ text: 'a' })?.dedupeKey).not.toBe(keys[0]?.dedupeKey);
  });

  test('a live location that moves is no edit of words', () => {
    expect(edited({ location: { latitude: 1, longitude: 2, live_period: 60 } })).toBeUndefined();
  });
});

describe('what is no message of a person', () => {
  test.each<[string, object]>([
    ['a join', { new_chat_members: [ada] }],
    ['a leave', { left_chat_member: ada }],
    ['a pin', { pinned_message: { message_id: 1 } }],
    ['a migration', { migrate_to_chat_id: -1009000501 }],
    ['a new topic', { forum_topic_created: { name: 'T' } }],
    ['a new title', { new_chat_title: 'New' }],
    ['a blank text', { text: ' \n ' }],
  ])('%s starts nothing', (_, fields) => {
    expect(decode({ chat: group, ...fields })).toBeUndefined();
  });
});

describe('any payload', () => {
  const keys = [
    ...[
      'message',
      'edited_message',
      'from',
      'chat',
      'id',
      'type',
      'text',
      'caption',
      'entities',
      'offset',
      'length',
    ],
    ...[
      'reply_to_message',
      'message_id',
      'sender_chat',
      'photo',
      'sticker',
      'poll',
      'options',
      'quote',
      'user',
      'date',
    ],
  ];
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.anything({ withNullPrototype: true, withBigInt: true }),
      fc.constantFrom('private', 'group', 'mention', 'bot_command', '@Hermes_Test_Bot', 'a'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 8 }),
    ),
  })).node;

  test('gives an event with something to read, or none, and never throws', () => {
    fc.assert(
      fc.property(value, (update) => {
        const event = decodeUpdate(update, context);
        expect(event === undefined || (event.type !== 'action' && event.parts.length > 0)).toBe(true);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  test('gives an event whatever the fields of a real message are replaced by', () => {
    const whole = {
      ...base,
      chat: group,
      text: '/new@x hi',
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...keys, 'message_thread_id', 'is_topic_message'),
        value,
        (key, replacement) => {
          decodeUpdate({ message: { ...whole, [key]: replacement } }, context);
          decodeUpdate(
            { edited_message: { ...whole, reply_to_message: { ...whole, [key]: replacement } } },
            context,
          );
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });
});
