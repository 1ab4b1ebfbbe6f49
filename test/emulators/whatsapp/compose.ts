/** What a phone writes, as WhatsApp's protobuf. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { aesEncryptGCM, proto } from '@whiskeysockets/baileys';
import type { Route } from './envelope.js';
import type { Phone } from './phone.js';
import type { Content, SendOptions, Wrapper } from './protocol.js';
import type { StoredMessage } from './stored.js';
import type { World } from './world.js';

export interface Author {
  readonly world: World;
  readonly phone: Phone;
  readonly route: Route;
}

const Type = proto.Message.ProtocolMessage.Type;

export async function compose(
  author: Author,
  content: Content,
  options: SendOptions,
): Promise<proto.IMessage> {
  const message = await bare(author, content, contextOf(author, options));
  const wrappers = options.wrap ?? (content.kind === 'edit' ? (['edited'] as const) : []);
  return [...wrappers].reverse().reduce((inner: proto.IMessage, wrapper) => wrap(wrapper, inner), message);
}

async function bare(
  author: Author,
  content: Content,
  contextInfo: proto.IContextInfo | undefined,
): Promise<proto.IMessage> {
  const context = contextInfo === undefined ? {} : { contextInfo };
  switch (content.kind) {
    case 'text':
      return contextInfo === undefined
        ? { conversation: content.text }
        : { extendedTextMessage: { text: content.text, contextInfo } };
    case 'image':
    case 'video':
    case 'audio':
    case 'voice':
    case 'document':
    case 'sticker':
      return mediaMessage(author, content, context);
    case 'location':
      return {
        locationMessage: {
          degreesLatitude: content.latitude,
          degreesLongitude: content.longitude,
          ...(content.name === undefined ? {} : { name: content.name }),
          ...context,
        },
      };
    case 'contact':
      return { contactMessage: { displayName: content.name, vcard: content.vcard, ...context } };
    case 'reaction':
      return {
        reactionMessage: {
          key: keyOf(author, content.messageId),
          text: content.emoji,
          senderTimestampMs: Date.now(),
        },
      };
    case 'edit':
      return {
        protocolMessage: {
          key: keyOf(author, content.messageId),
          type: Type.MESSAGE_EDIT,
          editedMessage: { conversation: content.text },
          timestampMs: Date.now(),
        },
      };
    case 'delete':
      return { protocolMessage: { key: keyOf(author, content.messageId), type: Type.REVOKE } };
    case 'poll':
      return {
        messageContextInfo: { messageSecret: randomBytes(32) },
        pollCreationMessageV3: {
          name: content.question,
          options: content.options.map((optionName) => ({ optionName })),
          selectableOptionsCount: 1,
        },
      };
    case 'vote':
      return vote(author, content.messageId, content.options);
    case 'raw':
      return proto.Message.fromObject(content.message);
    default:
      throw new Error(`unknown content: ${JSON.stringify(content satisfies never)}`);
  }
}

type MediaContent = Extract<Content, { readonly contentBase64: string }>;

const mimetypes: Readonly<Record<MediaContent['kind'], string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  voice: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
};

async function mediaMessage(
  { world }: Author,
  content: MediaContent,
  context: { readonly contextInfo?: proto.IContextInfo },
): Promise<proto.IMessage> {
  const file = await world.media.seal(world, content.kind === 'voice' ? 'audio' : content.kind, content);
  const part = { ...file, mimetype: content.mimetype ?? mimetypes[content.kind], ...context };
  switch (content.kind) {
    case 'image':
      return { imageMessage: { ...part, ...captionOf(content) } };
    case 'video':
      return { videoMessage: { ...part, ...captionOf(content) } };
    case 'audio':
    case 'voice':
      return { audioMessage: { ...part, seconds: content.seconds ?? 1, ptt: content.kind === 'voice' } };
    case 'document':
      return { documentMessage: { ...part, fileName: content.name, ...captionOf(content) } };
    case 'sticker':
      return { stickerMessage: part };
    default:
      throw new Error(`unknown file: ${JSON.stringify(content satisfies never)}`);
  }
}

function captionOf({ caption }: { readonly caption?: string }): { readonly caption?: string } {
  return caption === undefined ? {} : { caption };
}

function contextOf(
  author: Author,
  { quote, mentions, ephemeralSeconds }: SendOptions,
): proto.IContextInfo | undefined {
  if (quote === undefined && mentions === undefined && ephemeralSeconds === undefined) return undefined;
  const quoted = quote === undefined ? undefined : author.world.message(quote);
  return {
    ...(quoted === undefined
      ? {}
      : { stanzaId: quoted.id, participant: authorOf(author, quoted), quotedMessage: quoted.proto }),
    ...(ephemeralSeconds === undefined ? {} : { expiration: ephemeralSeconds }),
    mentionedJid: (mentions ?? []).map((name) =>
      name.includes('@') ? name : author.world.phone(name).jid(author.route.addressing),
    ),
  };
}

function authorOf({ world, route }: Author, { from }: StoredMessage): string {
  return (from === 'bot' ? world.account : world.phone(from)).jid(route.addressing);
}

/** A message as the writer sees it. */
function keyOf(author: Author, id: string): proto.IMessageKey {
  const { world, phone, route } = author;
  const target = world.message(id);
  const isOwn = target.from === phone.number || (target.from === 'bot' && phone === world.account);
  if (route.group !== undefined)
    return { remoteJid: route.group, fromMe: isOwn, id, participant: authorOf(author, target) };
  const peer = route.kind === 'own' ? world.phone(route.chat) : world.account;
  return { remoteJid: peer.jid(route.addressing), fromMe: isOwn, id };
}

/** Sealed with the poll's secret under the ids of who asked and who votes; both are phone numbers' ids. */
function vote(author: Author, messageId: string, options: readonly string[]): proto.IMessage {
  const poll = author.world.message(messageId);
  const secret = poll.proto.messageContextInfo?.messageSecret;
  if (!secret) throw new Error(`${messageId} is no poll`);
  const creator = (poll.from === 'bot' ? author.world.account : author.world.phone(poll.from)).jid('pn');
  const voter = author.phone.jid('pn');
  const sign = Buffer.concat([Buffer.from(`${messageId}${creator}${voter}Poll Vote`), Buffer.from([1])]);
  const key = createHmac('sha256', createHmac('sha256', Buffer.alloc(32)).update(secret).digest())
    .update(sign)
    .digest();
  const encIv = randomBytes(12);
  const chosen = proto.Message.PollVoteMessage.encode({
    selectedOptions: options.map((option) => createHash('sha256').update(option).digest()),
  }).finish();
  const encPayload = aesEncryptGCM(chosen, key, encIv, Buffer.from(`${messageId}\u0000${voter}`));
  return {
    pollUpdateMessage: {
      pollCreationMessageKey: keyOf(author, messageId),
      vote: { encPayload, encIv },
      senderTimestampMs: Date.now(),
    },
  };
}

function wrap(wrapper: Wrapper, message: proto.IMessage): proto.IMessage {
  switch (wrapper) {
    case 'ephemeral':
      return { ephemeralMessage: { message } };
    case 'view-once':
      return { viewOnceMessage: { message } };
    case 'view-once-v2':
      return { viewOnceMessageV2: { message } };
    case 'view-once-v2-extension':
      return { viewOnceMessageV2Extension: { message } };
    case 'document-with-caption':
      return { documentWithCaptionMessage: { message } };
    case 'edited':
      return { editedMessage: { message } };
    case 'unknown':
      return { eventCoverImage: { message } };
    default:
      throw new Error(`unknown wrapper: ${JSON.stringify(wrapper satisfies never)}`);
  }
}
