/**
 * From an update to our event. Pure, and total: any payload gives an event or undefined, never an exception.
 *
 * 1. The dedupe key names the message, not the update: a redelivered message may come under a new update id.
 * 2. A thread is taken over only from messages of a topic: replies in ordinary groups carry a thread id as well, and
 *    would split one chat into many conversations.
 * 3. Whoever speaks as a chat (an anonymous administrator, a channel) is that chat, not the account Telegram lends it.
 */
import { createHash } from 'node:crypto';
import type { AccountId, ChatId, CorrelationId, MessageId } from '../../core/ids.js';
import type { Addressed, InboundEvent, QuotedMessage, Sender } from '../../core/inbound.js';
import type { InboundPart } from '../../core/parts.js';
import type { ChatKind } from '../../core/route.js';
import { type Fields, fieldsOf, integerOf, nameOf, shorten, textOf } from '../kit/fields.js';
import { decodeContent } from './attachment.js';
import { decodeOrigin } from './decode-origin.js';
import { decodePress } from './decode-press.js';
import { findContent } from './describe.js';
import { messageIdOf, telegramId, userIdOf } from './ids.js';
import { type Addressing, type BotIdentity, isReplyTo, readAddressing } from './mentions.js';
import { describeProvenance, displayNameOf, MAX_QUOTE_LENGTH } from './provenance.js';

export interface DecodeContext {
  readonly account: AccountId;
  readonly bot: BotIdentity;
  readonly correlation: CorrelationId;
  readonly receivedAt: number;
}

/** The kinds of update that can become an event; others are not even asked for. */
export const decodedUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
] as const;

/** Clients cut what is longer than 4096 units, often at a blank before that, and send the rest as further messages. */
const CONTINUES_FROM_UNITS = 3900;

/** The person or chat behind a message. */
const authorOf = (message: Fields): Fields | undefined =>
  fieldsOf(message['sender_chat']) ?? fieldsOf(message['from']);

const decodeSender = (message: Fields): Sender | undefined => {
  const author = authorOf(message);
  const id = integerOf(author?.['id']);
  if (author === undefined || id === undefined) return undefined;
  return { user: userIdOf(id), displayName: displayNameOf(author), isBot: author['is_bot'] === true };
};

/** Every message of a topic formally replies to the one that opened it, which nobody means. */
const isTopicRoot = (quoted: Fields, message: Fields): boolean =>
  quoted['forum_topic_created'] !== undefined ||
  (message['is_topic_message'] === true && quoted['message_id'] === message['message_thread_id']);

const quotedOf = (message: Fields): Fields | undefined => {
  const quoted = fieldsOf(message['reply_to_message']);
  return quoted === undefined || isTopicRoot(quoted, message) ? undefined : quoted;
};

const decodeQuote = (message: Fields): QuotedMessage | undefined => {
  const quoted = quotedOf(message);
  const id = integerOf(quoted?.['message_id']);
  if (quoted === undefined || id === undefined) return undefined;
  const chosen = nameOf(fieldsOf(message['quote'])?.['text']);
  const whole = [
    findContent(quoted)?.description,
    nameOf(quoted['text']) ?? nameOf(quoted['caption']),
  ].filter(Boolean);
  const text = chosen ?? nameOf(whole.join('\n'));
  const author = authorOf(quoted);
  return {
    message: messageIdOf(id),
    ...(text === undefined ? {} : { text: shorten(text, MAX_QUOTE_LENGTH) }),
    ...(author === undefined ? {} : { senderName: displayNameOf(author) }),
  };
};

const decodeAddressed = (
  message: Fields,
  kind: ChatKind,
  addressing: Addressing,
  bot: BotIdentity,
): Addressed => {
  if (kind === 'direct') return 'direct';
  if (addressing.isMentioned) return 'mention';
  return quotedOf(message) !== undefined && isReplyTo(message, bot) ? 'reply' : 'none';
};

const decodeParts = (message: Fields, text: string): readonly InboundPart[] => {
  const content = decodeContent(message, text);
  if (content.length === 0) return content;
  const context = describeProvenance(message).map(
    (description) => ({ type: 'described', description }) as const,
  );
  return [...context, ...content];
};

const keyOf = (account: AccountId, chat: ChatId, message: MessageId): string =>
  `${telegramId}:${account}:${chat}:${message}`;

/** Two edits within a second bear the same date, so the content takes part. */
const editMark = (message: Fields, parts: readonly InboundPart[]): string => {
  const content = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
  return `edit:${integerOf(message['edit_date']) ?? 0}:${content}`;
};

const decodeMessage = (
  message: Fields,
  isEdit: boolean,
  context: DecodeContext,
): InboundEvent | undefined => {
  const origin = decodeOrigin(message, context.account);
  const sender = decodeSender(message);
  const id = integerOf(message['message_id']);
  if (origin === undefined || sender === undefined || id === undefined || sender.isBot) return undefined;
  const isCaption = textOf(message['text']) === undefined;
  const written = textOf(message[isCaption ? 'caption' : 'text']) ?? '';
  const addressing = readAddressing(
    written,
    message[isCaption ? 'caption_entities' : 'entities'],
    context.bot,
  );
  const parts = decodeParts(message, addressing.text);
  // Service messages (joins, pins, new titles …) have neither text nor anything to describe.
  if (parts.length === 0 || addressing.isForOther) return undefined;
  const messageId = messageIdOf(id);
  const key = keyOf(context.account, origin.chat, messageId);
  const common = {
    correlation: context.correlation,
    receivedAt: context.receivedAt,
    origin,
    sender,
    message: messageId,
    parts,
    addressed: decodeAddressed(message, origin.chatKind, addressing, context.bot),
  };
  if (isEdit) {
    // A live location edits itself every few seconds; only changed words are of interest.
    if (written.trim() === '') return undefined;
    return { type: 'edit', dedupeKey: `${key}:${editMark(message, parts)}`, ...common };
  }
  const replyTo = decodeQuote(message);
  const album = nameOf(message['media_group_id']);
  return {
    type: 'message',
    dedupeKey: key,
    ...common,
    sentAt: (integerOf(message['date']) ?? 0) * 1000,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(album === undefined ? {} : { album }),
    ...(fieldsOf(message['forward_origin']) === undefined ? {} : { isForwarded: true }),
    ...(!isCaption && written.length >= CONTINUES_FROM_UNITS ? { mayContinue: true } : {}),
  };
};

/** Undefined for what is no message of a person to anybody: service messages, other bots, commands for other bots. */
export const decodeUpdate = (update: unknown, context: DecodeContext): InboundEvent | undefined => {
  const fields = fieldsOf(update);
  for (const kind of decodedUpdates) {
    const message = fieldsOf(fields?.[kind]);
    if (message === undefined) continue;
    return kind === 'callback_query'
      ? decodePress(message, context)
      : decodeMessage(message, kind.startsWith('edited'), context);
  }
  return undefined;
};
