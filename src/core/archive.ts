import type { InboxId, PlatformId, SessionId, SessionKey, TurnId, UserId } from './ids.js';
import type { ModelMessage, Usage } from './provider.js';

/** Somebody on a platform. */
export interface Person {
  readonly platform: PlatformId;
  readonly user: UserId;
}

/** A session as lists show it. */
export interface SessionOverview {
  readonly id: SessionId;
  readonly key: SessionKey;
  /** The beginning of its first message; empty if there is none. */
  readonly title: string;
  readonly createdAt: number;
  /** Time of its newest message, or of its beginning. */
  readonly usedAt: number;
  readonly messages: number;
  readonly isCurrent: boolean;
  readonly usage: Usage;
}

/** `at` is 0 for messages from before times were kept. */
export interface StoredMessage {
  readonly message: ModelMessage;
  readonly at: number;
}

/** What one turn left in the transcript: the person's messages, steps, results, answer. */
export interface Exchange {
  readonly turn: TurnId;
  readonly messages: readonly ModelMessage[];
}

/** Whose words may be found: everybody's, or a person's own sessions and the one the question comes from. */
export type SearchScope =
  | { readonly type: 'all' }
  | { readonly type: 'own'; readonly person: Person; readonly session: SessionId };

export interface FoundMessage {
  readonly session: SessionId;
  readonly key: SessionKey;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly at: number;
}

/** Sessions beyond the running conversation: looked through, switched, taken back, deleted. */
export interface ArchiveStore {
  /** The latest used first; `key` narrows to the sessions of one key. */
  list(options: { readonly key?: SessionKey; readonly limit: number }): Promise<readonly SessionOverview[]>;
  find(session: SessionId): Promise<SessionOverview | undefined>;
  /** Everything that was said, also what a summary stands for, oldest first. */
  transcript(session: SessionId): Promise<readonly StoredMessage[]>;
  /** Undefined if there is none, or a summary stands for it. */
  lastExchange(session: SessionId): Promise<Exchange | undefined>;
  /**
   * Takes the exchange out of the transcript and finishes the inbox entry that asked for it. False, and only the entry
   * is finished, if it is not the last one or its turn still runs.
   */
  takeBack(session: SessionId, turn: TurnId, entry: InboxId): Promise<boolean>;
  /** Makes an earlier session of the key its current one. False if it is none of them. */
  resume(key: SessionKey, session: SessionId): Promise<boolean>;
  /** Removes it with all that belongs to it. False if it does not exist or a turn of it runs. */
  delete(session: SessionId): Promise<boolean>;
  /** What the turns of all sessions cost, or of those of one key. */
  totalUsage(key?: SessionKey): Promise<Usage>;
  /** Messages that contain every word of the query, the newest first. Words may be given by their beginning. */
  search(
    query: string,
    options: { readonly scope: SearchScope; readonly limit: number },
  ): Promise<readonly FoundMessage[]>;
}
