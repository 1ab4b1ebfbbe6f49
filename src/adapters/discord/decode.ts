/**
 * From a dispatch to our event. Pure, and total: any payload gives an event or undefined, never an exception.
 *
 * 1. The dedupe key names the message: a replayed dispatch and one that is fetched after a downtime are the same.
 * 2. A thread belongs to its channel: the chat is the channel, so that what is allowed there is allowed in its threads.
 * 3. A private chat is known by having no server; the channel itself may be one that we were never told of.
 */
import type { AccountId, CorrelationId } from '../../core/ids.js';
import type { Addressed, InboundEvent, InboundMessage, QuotedMessage, Sender } from '../../core/inbound.js';
import type { InboundPart } from '../../core/parts.js';
import type { Origin } from '../../core/route.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf, shorten, textOf } from '../kit/fields.js';
import { decodeContent } from './content.js';
import { chatIdOf, discordId, isSnowflake, madeAt, messageIdOf, threadIdOf, userIdOf } from './ids.js';
import type { Places } from './places.js';
import { toReadable } from './readable.js';

export interface DecodeSettings {
  readonly autoThread: boolean;
  readonly freeChannels: readonly string[];
  readonly ignoredChannels: readonly string[];
  readonly allowBots: 'none' | 'mentions' | 'all';
}

export interface DecodeContext {
  readonly account: AccountId;
  readonly places: Places;
  readonly settings: DecodeSettings;
  readonly correlation: CorrelationId;
  readonly receivedAt: number;
}

/** What people write; all else with content is Discord's own: pins, joins, boosts, threads begun. */
const DEFAULT = 0;
const REPLY = 19;
const MAX_QUOTE_LENGTH = 1_000;
/** The client refuses what is longer than 2000, so whoever has more to say ends near that. */
const CONTINUES_FROM_UNITS = 1_900;

const nameOfPerson = (person: Fields | undefined, member?: Fields): string | undefined =>
  nameOf(member?.['nick']) ?? nameOf(person?.['global_name']) ?? nameOf(person?.['username']);

const decodeSender = (message: Fields): Sender | undefined => {
  const author = fieldsOf(message['author']);
  const id = author?.['id'];
  if (!isSnowflake(id)) return undefined;
  const member = fieldsOf(message['member']);
  const roles = listOf(member?.['roles']).filter(isSnowflake);
  return {
    user: userIdOf(id),
    displayName: nameOfPerson(author, member) ?? id,
    isBot: author?.['bot'] === true,
    ...(roles.length > 0 && { roles }),
  };
};

const isIgnored = (list: readonly string[], channel: string, parent: string | undefined): boolean =>
  list.includes('*') || list.includes(channel) || (parent !== undefined && list.includes(parent));

/** Names by id, of the people that the message mentions. */
const mentionedIn = (message: Fields): ReadonlyMap<string, string> =>
  new Map(
    listOf(message['mentions']).flatMap((value) => {
      const person = fieldsOf(value);
      const name = nameOfPerson(person, fieldsOf(person?.['member']));
      const id = person?.['id'];
      return isSnowflake(id) && name !== undefined ? [[id, name] as const] : [];
    }),
  );

const decodeQuote = (message: Fields, read: (text: string) => string): QuotedMessage | undefined => {
  const quoted = fieldsOf(message['referenced_message']);
  const id = quoted?.['id'];
  if (quoted === undefined || !isSnowflake(id) || message['type'] !== REPLY) return undefined;
  const described = decodeContent(quoted, read).map((part) =>
    'description' in part ? part.description : '',
  );
  const text = [...described, read(textOf(quoted['content']) ?? '')].filter(Boolean).join('\n');
  const senderName = nameOfPerson(fieldsOf(quoted['author']));
  return {
    message: messageIdOf(id),
    ...(text !== '' && { text: shorten(text, MAX_QUOTE_LENGTH) }),
    ...(senderName !== undefined && { senderName }),
  };
};

const mentionsUs = (message: Fields, { self }: Places): boolean =>
  self !== undefined && listOf(message['mentions']).some((person) => fieldsOf(person)?.['id'] === self);

const decodeAddressed = (
  message: Fields,
  channel: string,
  { places, settings }: DecodeContext,
): Addressed => {
  if (message['guild_id'] === undefined) return 'direct';
  const { self } = places;
  const quotedAuthor = fieldsOf(fieldsOf(message['referenced_message'])?.['author'])?.['id'];
  if (self !== undefined && quotedAuthor === self) return 'reply';
  if (mentionsUs(message, places)) return 'mention';
  const place = places.find(channel);
  // A thread that we began is a talk with us, and so is a channel that is declared to be one.
  if (places.isThread(channel) && self !== undefined && place?.owner === self) return 'reply';
  return isIgnored(settings.freeChannels, channel, place?.parent) ? 'mention' : 'none';
};

const decodeOrigin = (
  message: Fields,
  channel: string,
  addressed: Addressed,
  context: DecodeContext,
): Origin => {
  const { account, places, settings } = context;
  const base = { platform: discordId, account } as const;
  const author = fieldsOf(message['author']);
  if (message['guild_id'] === undefined) {
    const title = nameOfPerson(author);
    return {
      ...base,
      chat: chatIdOf(channel),
      chatKind: 'direct',
      ...(title !== undefined && { chatTitle: title }),
    };
  }
  const place = places.find(channel);
  const isThread = places.isThread(channel) && place?.parent !== undefined;
  const chat = isThread && place?.parent !== undefined ? place.parent : channel;
  const title = places.find(chat)?.name;
  const named = {
    ...base,
    chat: chatIdOf(chat),
    chatKind: 'group' as const,
    ...(title !== undefined && { chatTitle: title }),
  };
  if (isThread) return { ...named, thread: threadIdOf(channel) };
  // The thread that the answer opens has the id of the message that it is opened at.
  const opensThread =
    settings.autoThread && addressed === 'mention' && !isIgnored(settings.freeChannels, channel, undefined);
  return opensThread ? { ...named, thread: threadIdOf(String(message['id'])) } : named;
};

/** What is nobody's word to us: our own messages, webhooks, bots that are not let in, Discord's own notices. */
const isNotForUs = (
  message: Fields,
  sender: Sender,
  addressed: Addressed,
  { places, settings }: DecodeContext,
): boolean => {
  const type = integerOf(message['type']);
  if (sender.user === places.self || message['webhook_id'] !== undefined) return true;
  if (type !== DEFAULT && type !== REPLY) return true;
  if (!sender.isBot) return false;
  return settings.allowBots === 'none' || (settings.allowBots === 'mentions' && addressed === 'none');
};

interface Decoded {
  readonly id: string;
  readonly sender: Sender;
  readonly addressed: Addressed;
  readonly origin: Origin;
  readonly parts: readonly InboundPart[];
  readonly read: (text: string) => string;
}

const decodeBase = (message: Fields, context: DecodeContext): Decoded | undefined => {
  const { id, channel_id: channel } = message;
  const sender = decodeSender(message);
  if (!isSnowflake(id) || !isSnowflake(channel) || sender === undefined) return undefined;
  const { places, settings } = context;
  if (isIgnored(settings.ignoredChannels, channel, places.find(channel)?.parent)) return undefined;
  const addressed = decodeAddressed(message, channel, context);
  if (isNotForUs(message, sender, addressed, context)) return undefined;
  const mentioned = mentionedIn(message);
  const read = (text: string): string => toReadable(text, { places, mentioned });
  const text = read(textOf(message['content']) ?? '');
  const parts = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...decodeContent(message, read)];
  // A bare mention still asks for something: whatever was said before it.
  if (parts.length === 0 && addressed === 'none') return undefined;
  return { id, sender, addressed, origin: decodeOrigin(message, channel, addressed, context), parts, read };
};

/** Of MESSAGE_CREATE, and of messages fetched later. */
export const decodeMessage = (data: unknown, context: DecodeContext): InboundMessage | undefined => {
  const message = fieldsOf(data);
  const base = message === undefined ? undefined : decodeBase(message, context);
  if (message === undefined || base === undefined || base.parts.length === 0) return undefined;
  const { id, sender, addressed, origin, parts, read } = base;
  const replyTo = decodeQuote(message, read);
  const sentAt = Date.parse(textOf(message['timestamp']) ?? '');
  const isLong = (textOf(message['content']) ?? '').length >= CONTINUES_FROM_UNITS;
  return {
    type: 'message',
    dedupeKey: `${discordId}:${context.account}:${id}`,
    correlation: context.correlation,
    origin,
    sender,
    receivedAt: context.receivedAt,
    message: messageIdOf(id),
    sentAt: Number.isNaN(sentAt) ? madeAt(id) : sentAt,
    parts,
    addressed,
    ...(replyTo !== undefined && { replyTo }),
    ...(isLong && { mayContinue: true }),
  };
};

/** Of MESSAGE_UPDATE, which also comes for previews of links: only a person's own change has a time of its own. */
export const decodeEdit = (data: unknown, context: DecodeContext): InboundEvent | undefined => {
  const message = fieldsOf(data);
  const editedAt = textOf(message?.['edited_timestamp']);
  if (message === undefined || editedAt === undefined) return undefined;
  const base = decodeBase(message, context);
  if (base === undefined || base.parts.length === 0) return undefined;
  const { id, sender, addressed, origin, parts } = base;
  return {
    type: 'edit',
    dedupeKey: `${discordId}:${context.account}:${id}:edit:${editedAt}`,
    correlation: context.correlation,
    origin,
    sender,
    receivedAt: context.receivedAt,
    message: messageIdOf(id),
    parts,
    addressed,
  };
};
