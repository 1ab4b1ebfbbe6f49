import { type SessionKey, toSessionKey, type UserId } from '../../core/ids.js';
import type { Origin } from '../../core/route.js';

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
 * Pure; the only place that forms a session key. `agent:main:<platform>:<kind>:<chat>[:thread:<id>][:user:<id>]`; the
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
