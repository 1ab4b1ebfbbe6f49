import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecodeContext, decodeEdit, decodeMessage } from '../../../src/adapters/discord/decode.js';
import { decodeCommand } from '../../../src/adapters/discord/decode-call.js';
import { Places } from '../../../src/adapters/discord/places.js';
import { toAccountId, toCorrelationId } from '../../../src/core/ids.js';
import { propertyRuns } from '../../setup/property-runs.js';

const bot = '900000000000000001';
const guild = '700000000000000001';
const channel = '600000000000000001';
const author = { id: '800000000000000001', username: 'ada', global_name: 'Ada' };

const contextWith = (settings: Partial<DecodeContext['settings']> = {}): DecodeContext => {
  const places = new Places();
  places.learn('READY', { user: { id: bot } });
  places.learn('GUILD_CREATE', {
    id: guild,
    name: 'Home',
    channels: [{ id: channel, type: 0, name: 'general' }],
  });
  return {
    account: toAccountId(bot),
    places,
    correlation: toCorrelationId('c'),
    receivedAt: 7,
    settings: {
      autoThread: false,
      freeChannels: [],
      ignoredChannels: [],
      allowBots: 'none',
      ...settings,
    },
  };
};

const aMessage = (changes: object = {}) => ({
  id: '1300000000000000001',
  channel_id: channel,
  guild_id: guild,
  author,
  type: 0,
  content: 'hello',
  timestamp: '2026-01-01T00:00:00.000000+00:00',
  ...changes,
});

describe('a message', () => {
  test('to nobody in a channel is told as such', () => {
    expect(decodeMessage(aMessage(), contextWith())).toMatchObject({
      dedupeKey: `discord:${bot}:1300000000000000001`,
      origin: { chat: channel, chatKind: 'group', chatTitle: 'general' },
      sender: { user: author.id, displayName: 'Ada', isBot: false },
      addressed: 'none',
      sentAt: Date.UTC(2026, 0, 1),
    });
  });

  test('that answers one of ours is a reply, with what it answers', () => {
    const event = decodeMessage(
      aMessage({
        type: 19,
        referenced_message: {
          id: '1300000000000000000',
          content: 'the <#600000000000000001> plan',
          author: { id: bot, username: 'hermes' },
        },
      }),
      contextWith(),
    );
    expect(event).toMatchObject({
      addressed: 'reply',
      replyTo: { message: '1300000000000000000', text: 'the #general plan', senderName: 'hermes' },
    });
  });

  test('of another bot holds its embeds as words', () => {
    const embeds = [
      {
        type: 'rich',
        title: 'Build failed',
        description: 'main is red',
        fields: [{ name: 'Commit', value: 'abc' }],
      },
      { type: 'link', title: 'a preview of ours' },
    ];
    const event = decodeMessage(
      aMessage({ content: '', embeds, author: { ...author, bot: true } }),
      contextWith({ allowBots: 'all' }),
    );
    expect(event?.parts).toEqual([
      { type: 'described', description: 'an embed: Build failed\nmain is red\nCommit: abc' },
    ]);
  });

  test('that is forwarded, a sticker or a poll is told in words', () => {
    const event = decodeMessage(
      aMessage({
        content: '',
        message_snapshots: [{ message: { content: 'the <#600000000000000001> news' } }],
        sticker_items: [{ name: 'Wave' }],
        poll: {
          question: { text: 'Tea?' },
          answers: [{ poll_media: { text: 'yes' } }, { poll_media: { text: 'no' } }],
        },
      }),
      contextWith(),
    );
    expect(event?.parts.map((part) => ('description' in part ? part.description : ''))).toEqual([
      'a sticker “Wave”',
      'a poll: Tea? (yes / no)',
      'a forwarded message: the #general news',
    ]);
  });

  test('in a thread that we began is for us', () => {
    const context = contextWith();
    const thread = '600000000000000777';
    context.places.learn('THREAD_CREATE', {
      id: thread,
      type: 11,
      parent_id: channel,
      guild_id: guild,
      owner_id: bot,
    });
    expect(decodeMessage(aMessage({ channel_id: thread }), context)).toMatchObject({
      addressed: 'reply',
      origin: { chat: channel, thread },
    });
  });

  test('of a person says which roles they have', () => {
    const event = decodeMessage(
      aMessage({ member: { roles: ['500000000000000001'], nick: 'Countess' } }),
      contextWith(),
    );
    expect(event?.sender).toMatchObject({ roles: ['500000000000000001'], displayName: 'Countess' });
  });

  test('near the limit may go on in the next', () => {
    expect(decodeMessage(aMessage({ content: 'x'.repeat(1950) }), contextWith())?.mayContinue).toBe(true);
  });
});

test('a slash command is the message that a person would have typed', () => {
  const call = {
    id: '1300000000000000002',
    type: 2,
    token: 'secret',
    application_id: bot,
    channel_id: channel,
    guild_id: guild,
    member: { user: author, roles: [] },
    data: { name: 'model', options: [{ name: 'text', value: 'gpt-4.1 <@1>' }] },
  };
  expect(decodeCommand(call, contextWith())).toMatchObject({
    message: 'call-1300000000000000002',
    isCall: true,
    parts: [{ type: 'text', text: '/model gpt-4.1 <@1>' }],
    sender: { user: author.id },
  });
});

describe('any payload', () => {
  const anything = fc.anything({ withBigInt: false, maxDepth: 4 });
  const nearly = fc
    .tuple(
      fc.constantFrom(
        ...Object.keys(aMessage()),
        'member',
        'mentions',
        'attachments',
        'embeds',
        'referenced_message',
        'message_snapshots',
        'poll',
      ),
      anything,
    )
    .map(([key, value]) => ({ ...aMessage(), [key]: value }));

  test('gives an event or nothing, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anything, nearly), (payload) => {
        const context = contextWith({ allowBots: 'all', autoThread: true });
        for (const type of [
          'GUILD_CREATE',
          'CHANNEL_CREATE',
          'MESSAGE_CREATE',
          'THREAD_LIST_SYNC',
          'GUILD_ROLE_CREATE',
        ])
          context.places.learn(type, payload);
        for (const decode of [decodeMessage, decodeEdit, decodeCommand]) {
          const event = decode(payload, context);
          if (event !== undefined) expect(event.dedupeKey).toContain('discord:');
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
