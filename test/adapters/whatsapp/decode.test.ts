import { describe, expect, test } from 'vitest';
import { whatsappSection } from '../../../src/adapters/whatsapp/config.js';
import { type DecodeContext, decodeMessage } from '../../../src/adapters/whatsapp/decode.js';
import { Identities } from '../../../src/adapters/whatsapp/identities.js';
import { parseAddress } from '../../../src/adapters/whatsapp/ids.js';
import type { InboundMessage } from '../../../src/core/inbound.js';
import { createCountingIds } from '../../fakes/counting-ids.js';

const group = '120363000000000001@g.us';
const lid = '900100200300@lid';
const number = '15550100001@s.whatsapp.net';

const createContext = (
  changes: Partial<DecodeContext> = {},
): DecodeContext & { readonly kinds: readonly string[] } => {
  const identities = new Identities();
  identities.setSelf({ id: '15550109999:7@s.whatsapp.net', lid: '900999:7@lid', name: 'Bot' });
  const kinds: string[] = [];
  return {
    identities,
    isSelfChat: false,
    correlation: createCountingIds().next('correlation'),
    receivedAt: 1_000,
    groupTitle: () => undefined,
    unknown: (kind) => void kinds.push(kind),
    kinds,
    ...changes,
  };
};

const decode = (
  key: Readonly<Record<string, unknown>>,
  message: unknown,
  context = createContext(),
): InboundMessage | undefined => {
  const event = decodeMessage({ key: { id: 'ID', fromMe: false, ...key }, message }, context);
  if (event?.type === 'edit') throw new Error('an edit was not expected');
  return event;
};

const hello = { conversation: 'hello' };

describe('who writes', () => {
  test('WA-01 a person is one, whichever id a message carries, and is who the list names', () => {
    const context = createContext();
    context.identities.learn(lid, number);
    const events = [
      decode({ remoteJid: lid }, hello, context),
      decode({ remoteJid: group, participant: lid }, hello, context),
      decode({ remoteJid: number }, hello, context),
      decode({ remoteJid: '900100200300:3@lid' }, hello, context),
    ];
    const { allowed_users: allowed } = whatsappSection.parse({ allowed_users: ['+15550100001'] });
    expect(events.map((event) => event?.sender.user)).toEqual(events.map(() => allowed[0]));
    expect(events.map((event) => event?.origin.chat)).toEqual([
      '+15550100001',
      group,
      '+15550100001',
      '+15550100001',
    ]);
  });

  test.each(['+1 555 010-0001', '15550100001', number, '15550100001:4@s.whatsapp.net', '15550100001@c.us'])(
    '%s is the same address',
    (text) => {
      expect(parseAddress(text)).toEqual({ chat: '+15550100001' });
    },
  );

  test.each(['status@broadcast', '1200@broadcast', '1201@newsletter'])(
    'WA-03 nobody is answered in public: %s',
    (remoteJid) => {
      expect(decode({ remoteJid, participant: number }, hello)).toBeUndefined();
    },
  );

  test('WA-04 with self-chat off nothing from us starts a turn; with it on only what we write to ourselves', () => {
    const own = { remoteJid: '15550109999@s.whatsapp.net', fromMe: true };
    expect(decode(own, hello)).toBeUndefined();
    const selfChat = createContext({ isSelfChat: true });
    expect(decode(own, hello, selfChat)).toMatchObject({ addressed: 'direct' });
    expect(decode({ remoteJid: number, fromMe: true }, hello, selfChat)).toBeUndefined();
  });
});

describe('whom it is meant for', () => {
  test.each([
    ['900999@lid', 'mention'],
    ['15550109999@s.whatsapp.net', 'mention'],
    ['900888@lid', 'none'],
  ])('WA-02 a mention of %s is %s', (mentioned, addressed) => {
    const message = { extendedTextMessage: { text: 'hello', contextInfo: { mentionedJid: [mentioned] } } };
    const event = decode({ remoteJid: group, participant: number }, message);
    expect(event).toMatchObject({ addressed, origin: { chat: group, chatKind: 'group' } });
    expect(JSON.stringify(event)).not.toContain(':7@');
  });

  test('an answer to one of ours is one, and carries what it answers', () => {
    const contextInfo = {
      stanzaId: 'OURS',
      participant: '900999:7@lid',
      quotedMessage: { conversation: 'as I said' },
    };
    const event = decode(
      { remoteJid: group, participant: number },
      { extendedTextMessage: { text: 'why?', contextInfo } },
    );
    expect(event).toMatchObject({ addressed: 'reply', replyTo: { message: 'OURS', text: 'as I said' } });
  });

  test('a mention is read as a name', () => {
    const context = createContext();
    context.identities.learn(lid, number);
    context.identities.learnName(lid, 'Ann');
    const text = 'ask @900100200300 and @900999';
    const contextInfo = { mentionedJid: [lid, '900999@lid'] };
    const event = decode(
      { remoteJid: group, participant: '15550100002@s.whatsapp.net' },
      { extendedTextMessage: { text, contextInfo } },
      context,
    );
    expect(event?.parts).toEqual([{ type: 'text', text: 'ask @Ann and @Bot' }]);
  });
});

describe('what it holds', () => {
  const file = { mediaKey: new Uint8Array([1]), url: 'http://127.0.0.1/v/1', fileLength: '12' };

  test.each([
    [
      'disappearing, to be seen once',
      {
        ephemeralMessage: {
          message: { viewOnceMessageV2: { message: { imageMessage: { ...file, caption: 'fix this' } } } },
        },
      },
      { kind: 'image', caption: 'fix this' },
    ],
    [
      'disappearing, a document with a caption',
      {
        ephemeralMessage: {
          message: {
            documentWithCaptionMessage: {
              message: { documentMessage: { ...file, fileName: 'a.pdf', caption: 'sum up' } },
            },
          },
        },
      },
      { kind: 'file', fileName: 'a.pdf', caption: 'sum up' },
    ],
    [
      'a voice message to be heard once',
      { viewOnceMessageV2Extension: { message: { audioMessage: { ...file, ptt: true, seconds: 3 } } } },
      { kind: 'voice', durationMs: 3_000 },
    ],
  ])('WA-06 %s is opened', (_, message, part) => {
    expect(decode({ remoteJid: number }, message)?.parts).toMatchObject([{ type: 'media', ...part }]);
  });

  test('WA-06 a wrapper that nobody knows is told by its name and starts no turn', () => {
    const context = createContext();
    expect(decode({ remoteJid: number }, { futureMessage: { message: hello } }, context)).toBeUndefined();
    expect(context.kinds).toEqual(['futureMessage']);
  });

  test.each([
    [
      { contactMessage: { displayName: 'Bob', vcard: 'BEGIN:VCARD\nTEL;type=CELL:+1 555\nEND:VCARD' } },
      'a contact: Bob, +1 555',
    ],
    [
      { locationMessage: { degreesLatitude: 1.5, degreesLongitude: 2, name: 'Home' } },
      'a place: 1.5, 2, Home',
    ],
    [{ pollCreationMessageV3: { name: 'When?', options: [{ optionName: 'now' }] } }, 'a poll: When? (now)'],
  ])('%j is told in words', (message, description) => {
    expect(decode({ remoteJid: number }, message)?.parts).toEqual([{ type: 'described', description }]);
  });

  test('a changed message is an edit of it; a deletion, a reaction and a vote are no messages', () => {
    const protocolMessage = { key: { id: 'OLD' }, type: 14, editedMessage: { conversation: 'better' } };
    const key = { id: 'NEW', remoteJid: number, fromMe: false };
    expect(
      decodeMessage({ key, message: { editedMessage: { message: { protocolMessage } } } }, createContext()),
    ).toMatchObject({
      type: 'edit',
      message: 'OLD',
      parts: [{ type: 'text', text: 'better' }],
    });
    for (const message of [
      { protocolMessage: { key: { id: 'OLD' }, type: 0 } },
      { reactionMessage: { text: '👍' } },
      { pollUpdateMessage: {} },
    ])
      expect(decode({ remoteJid: number }, message)).toBeUndefined();
  });
});
