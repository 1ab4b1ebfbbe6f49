import {
  type ChatId,
  type PlatformId,
  type SessionKey,
  type ThreadId,
  toChatId,
  toPlatformId,
  toSessionKey,
  toThreadId,
  toUserId,
  type UserId,
} from '../../core/ids.js';
import type { ChatKind, Origin } from '../../core/route.js';

export interface SessionKeyPolicy {
  /** Each member of a group has a conversation of their own. */
  readonly groupPerUser: boolean;
  /** The same inside threads; by default a thread is shared. */
  readonly threadPerUser: boolean;
}

/** Whether several people write in one session there. */
export const isSharedSession = (
  { chatKind, thread }: Origin,
  { groupPerUser, threadPerUser }: SessionKeyPolicy,
): boolean => chatKind !== 'direct' && !(thread === undefined ? groupPerUser : threadPerUser);

/** Ids may hold any character; encoded, none of them can pass for a separator and forge another's key. */
const segment = (text: string): string => encodeURIComponent(text);

/**
 * Pure; this file alone forms and reads session keys. `agent:main:<platform>:<kind>:<chat>[:thread:<id>][:user:<id>]`; the
 * labels keep a chat with a thread apart from a chat with a user of the same id.
 */
export const sessionKeyOf = (origin: Origin, user: UserId, policy: SessionKeyPolicy): SessionKey => {
  // A private chat that the platform gives no id of its own is told apart by its user.
  const chat = origin.chat === '' ? user : origin.chat;
  const segments = ['agent', 'main', segment(origin.platform), origin.chatKind, segment(chat)];
  if (origin.thread !== undefined) segments.push('thread', segment(origin.thread));
  if (origin.chatKind !== 'direct' && !isSharedSession(origin, policy)) segments.push('user', segment(user));
  return toSessionKey(segments.join(':'));
};

/** Where the conversations of a key take place, and whose they are if a chat has several. */
export interface SessionPlace {
  readonly platform: PlatformId;
  readonly chatKind: ChatKind;
  /** The first id that the chat had. */
  readonly chat: ChatId;
  readonly thread?: ThreadId;
  readonly user?: UserId;
}

const kinds: readonly ChatKind[] = ['direct', 'group', 'channel'];

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** What {@link sessionKeyOf} put together; undefined for any other text. */
export const parseSessionKey = (key: SessionKey): SessionPlace | undefined => {
  const shape = /^agent:main:([^:]*):([^:]*):([^:]*)(?::thread:([^:]*))?(?::user:([^:]*))?$/u;
  const [, platform, kind, chat, thread, user] = shape.exec(key)?.map((part) => part && decode(part)) ?? [];
  const chatKind = kinds.find((one) => one === kind);
  if (platform === undefined || chatKind === undefined || chat === undefined) return undefined;
  return {
    platform: toPlatformId(platform),
    chatKind,
    chat: toChatId(chat),
    ...(thread !== undefined && { thread: toThreadId(thread) }),
    ...(user !== undefined && { user: toUserId(user) }),
  };
};
