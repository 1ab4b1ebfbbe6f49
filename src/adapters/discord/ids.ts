/** The only place that makes and reads Discord's ids: snowflakes, 64-bit numbers as decimal text. */
import { createHash } from 'node:crypto';
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

export const discordId = toPlatformId('discord');

/** 2015 began; a snowflake's upper bits count milliseconds from there. */
const EPOCH_MS = 1_420_070_400_000n;

const snowflake = /^\d{1,20}$/u;

/**
 * The bot's user id, which Discord's tokens begin with, in base64. A token of another form gives a name of its own: what
 * the bot is called there is known once it is connected.
 */
export const accountOfToken = (token: string): AccountId => {
  const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64').toString('latin1');
  if (/^\d{15,20}$/u.test(id)) return toAccountId(id);
  return toAccountId(`bot-${createHash('sha256').update(token).digest('hex').slice(0, 12)}`);
};

export const isSnowflake = (value: unknown): value is string =>
  typeof value === 'string' && snowflake.test(value);

export const chatIdOf = (id: string): ChatId => toChatId(id);
export const threadIdOf = (id: string): ThreadId => toThreadId(id);
export const messageIdOf = (id: string): MessageId => toMessageId(id);
export const userIdOf = (id: string): UserId => toUserId(id);

/** True if the message or channel `id` was made after `than`. */
export const isLater = (id: string, than: string): boolean => BigInt(id) > BigInt(than);

/** When the thing with this id was made, epoch ms. */
export const madeAt = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH_MS);

/** The smallest id of what is made at a time, epoch ms. */
export const idAt = (atMs: number): string => String((BigInt(Math.trunc(atMs)) - EPOCH_MS) << 22n);

/** An answer to something that was called rather than written: its message id is that of the call. */
const CALL_PREFIX = 'call-';
export const callIdOf = (interaction: string): MessageId => toMessageId(CALL_PREFIX + interaction);
export const interactionOf = (message: MessageId): string | undefined =>
  message.startsWith(CALL_PREFIX) ? message.slice(CALL_PREFIX.length) : undefined;

const address = /^(\d{1,20})(?::(\d{1,20}))?$/u;

/** Reads a channel, a person (their private chat), or `channel:thread`; undefined for anything else. */
export const parseAddress = (
  name: string,
): { readonly chat: ChatId; readonly thread?: ThreadId } | undefined => {
  const [, chat, thread] = address.exec(name.trim()) ?? [];
  if (chat === undefined) return undefined;
  return thread === undefined
    ? { chat: toChatId(chat) }
    : { chat: toChatId(chat), thread: toThreadId(thread) };
};
