/** The only place that makes and reads Telegram's ids. Telegram's numbers have at most 52 bits, so they are exact. */
import {
  type AccountId,
  type ChatId,
  type MessageId,
  type ThreadId,
  toAccountId,
  toChatId,
  toMessageId,
  toPlatformId,
  toThreadId,
  toUserId,
  type UserId,
} from '../../core/ids.js';

export const telegramId = toPlatformId('telegram');

/** A forum's General topic: messages there carry this thread id or none; sends must not name it, typing has to. */
export const GENERAL_THREAD = 1;

/** The bot's user id, which every token begins with. */
export const accountOfToken = (token: string): AccountId => toAccountId(token.split(':', 1)[0] ?? '');

export const chatIdOf = (id: number): ChatId => toChatId(String(id));
export const userIdOf = (id: number): UserId => toUserId(String(id));
export const messageIdOf = (id: number): MessageId => toMessageId(String(id));
/** Undefined for the General topic, which is the chat itself. */
export const threadIdOf = (id: number): ThreadId | undefined =>
  id === GENERAL_THREAD ? undefined : toThreadId(String(id));

/** Chats with one person carry that person's own, positive number. */
export const isPrivate = (chat: ChatId): boolean => numberOf(chat) > 0;

/** The number inside an id that one of the functions above made. */
export const numberOf = (id: ChatId | ThreadId | MessageId): number => Number(id);

const address = /^(-?[1-9]\d{0,15})(?::([1-9]\d{0,15}))?$/u;

/** Reads `12345`, `-100123` or `-100123:17` (chat and topic); undefined for anything else. */
export const parseAddress = (
  name: string,
): { readonly chat: ChatId; readonly thread?: ThreadId } | undefined => {
  const match = address.exec(name.trim());
  const [, chat, topic] = match ?? [];
  if (chat === undefined) return undefined;
  const thread = topic === undefined ? undefined : threadIdOf(Number(topic));
  return thread === undefined ? { chat: toChatId(chat) } : { chat: toChatId(chat), thread };
};
