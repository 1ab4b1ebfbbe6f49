import type { AccountId, ChatId, PlatformId, ThreadId } from './ids.js';

/**
 * Where a message belongs. One immutable value, captured when a message is accepted and carried unchanged to the
 * receipt of its answer, so that nothing downstream can lose the thread or fall back to "the last chat used".
 */
export interface Route {
  readonly platform: PlatformId;
  readonly account: AccountId;
  readonly chat: ChatId;
  /** Absent: the chat itself (no topic, or the topic that the platform addresses without an id). */
  readonly thread?: ThreadId;
}

/** `channel`: only its owners post there, in its name, and everybody else reads. */
export type ChatKind = 'direct' | 'group' | 'channel';

/** A route as seen from an arriving message. */
export interface Origin extends Route {
  readonly chatKind: ChatKind;
  /** Name of the chat as people see it. */
  readonly chatTitle?: string;
}

/** The part of an origin that addresses answers. */
export const toRoute = ({ platform, account, chat, thread }: Route): Route =>
  thread === undefined ? { platform, account, chat } : { platform, account, chat, thread };

/**
 * Messages of one lane leave in order, one at a time. A lane is a chat, not a thread: platforms limit and order
 * by chat, so threads of one chat must not overtake each other's rate limits.
 */
export const laneOf = (route: Route): string => JSON.stringify([route.platform, route.account, route.chat]);
