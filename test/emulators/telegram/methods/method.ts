/** What every method gets, and the checks that several of them share. */
import { badRequest } from '../api-error.js';
import type { Chat, StoredMessage } from '../chat.js';
import { nowSeconds } from '../incoming.js';
import {
  booleanParameter,
  integerParameter,
  objectParameter,
  type Parameters,
  textParameter,
  type UploadedFile,
} from '../parameters.js';
import type { Entity } from '../text/entity.js';
import type { Warn } from '../text/fix.js';
import type { World } from '../world.js';

export interface MethodCall {
  readonly world: World;
  readonly params: Parameters;
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** Notes what the real server would do without a word. */
  readonly warn: Warn;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

/** Gives the `result`; throws an ApiError to refuse. */
export type Method = (call: MethodCall) => unknown;

export interface Body {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly markup: unknown;
  readonly media: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Checks the way to a chat in the server's order: the chat, the bot's standing, the limit, the thread, the message to
 * reply to.
 */
export function openChat({ world, params }: MethodCall): {
  chat: Chat;
  threadId: number | undefined;
  replyTo: number | undefined;
} {
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  world.spend(chat);
  const threadId = integerParameter(params, 'message_thread_id') || undefined;
  chat.assertThread(threadId);
  const replied = findReplied(chat, params);
  return { chat, threadId: threadId ?? topicOf(chat, replied), replyTo: replied?.id };
}

function topicOf(chat: Chat, replied: StoredMessage | undefined): number | undefined {
  const threadId = replied?.threadId;
  return threadId !== undefined && chat.topics.has(threadId) ? threadId : undefined;
}

function findReplied(chat: Chat, params: Parameters): StoredMessage | undefined {
  const reply = objectParameter(params, 'reply_parameters');
  const messageId =
    reply === undefined
      ? integerParameter(params, 'reply_to_message_id')
      : integerParameter(reply, 'message_id');
  if (messageId === undefined) return undefined;
  const replied = chat.find(messageId);
  if (replied === undefined) {
    if (booleanParameter(reply ?? params, 'allow_sending_without_reply')) return undefined;
    throw badRequest('message to be replied not found');
  }
  const quote = reply === undefined ? undefined : textParameter(reply, 'quote');
  if (quote !== undefined && quote !== '' && !replied.text.includes(quote))
    throw badRequest('QUOTE_TEXT_INVALID');
  return replied;
}

/** Adds a message of the bot and tells everybody who waits for it. */
export function addBotMessage(
  world: World,
  place: { readonly chat: Chat; readonly threadId: number | undefined; readonly replyTo: number | undefined },
  body: Body,
): StoredMessage {
  const message: StoredMessage = {
    id: place.chat.nextMessageId(),
    chatId: place.chat.id,
    senderId: world.bot.id,
    byBot: true,
    date: nowSeconds(),
    threadId: place.threadId,
    replyTo: place.replyTo,
    media: body.media,
    fields: body.fields,
    text: body.text,
    entities: body.entities,
    markup: body.markup,
    editDate: undefined,
    history: [body.text],
    deleted: false,
    reactions: [],
  };
  place.chat.add(message);
  world.changed('sent', message);
  return message;
}
