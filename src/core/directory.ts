import type { AccountId, ChatId, PlatformId } from './ids.js';
import type { ChatKind } from './route.js';

/** A chat that somebody who may write here has written in. */
export interface KnownChat {
  readonly platform: PlatformId;
  readonly account: AccountId;
  readonly chat: ChatId;
  readonly kind: ChatKind;
  /** The name of the group or channel; in a private chat that of the person. */
  readonly title: string;
  readonly seenAt: number;
}

export interface DirectoryStore {
  /** Adds the chat, or takes over its new title and time. */
  note(chat: KnownChat): Promise<void>;
  /** Nothing happens if it is not there. */
  forget(chat: Pick<KnownChat, 'platform' | 'account' | 'chat'>): Promise<void>;
  all(): Promise<readonly KnownChat[]>;
}
