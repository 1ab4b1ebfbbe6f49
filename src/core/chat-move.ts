import type { AccountId, ChatId, PlatformId } from './ids.js';

/** A chat that goes on under another id: its platform made another kind of chat of it. */
export interface ChatMove {
  readonly platform: PlatformId;
  readonly account: AccountId;
  readonly from: ChatId;
  readonly to: ChatId;
}

export interface ChatMoveStore {
  /** A chat moves once: a later move of the same chat changes nothing. */
  add(move: ChatMove): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly ChatMove[]>;
}
