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
  readonly turn: TurnId;
  readonly at: number;
}

/** What one turn left in the transcript: the person's messages, steps, results, answer. */
export interface Exchange {
  readonly turn: TurnId;
  readonly messages: readonly ModelMessage[];
}

/**
 * Whose sessions are looked at: everybody's, a person's own and the one the question comes from, or those of one key,
 * which are the conversations of one place.
 */
export type SessionScope =
  | { readonly type: 'all' }
  | { readonly type: 'own'; readonly person: Person; readonly session: SessionId }
  | { readonly type: 'key'; readonly key: SessionKey };

export interface FoundMessage {
  /** Names the message; grows with every message of any session. */
  readonly position: number;
  readonly session: SessionId;
  readonly key: SessionKey;
  readonly turn: TurnId;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** What stands around the first hit, as one line; … where something is left out. */
  readonly excerpt: string;
  readonly at: number;
}

/** A part of a transcript. */
export interface Passage {
  readonly session: SessionId;
  readonly key: SessionKey;
  readonly messages: readonly (StoredMessage & { readonly position: number })[];
}

/** Sessions beyond the running conversation: looked through, switched, taken back, deleted. */
export interface ArchiveStore {
  /** The latest used first. */
  list(options: {
    readonly scope: SessionScope;
    readonly limit: number;
  }): Promise<readonly SessionOverview[]>;
  /** Those without a running turn that were last used before a time, epoch ms; the longest unused first. */
  idle(options: { readonly usedBefore: number; readonly limit: number }): Promise<readonly SessionOverview[]>;
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
  /**
   * Forgets what was said before a time, except the newest `keep` messages, which its conversation may still need. A
   * summary stays. Gives how many messages went.
   */
  trim(session: SessionId, options: { readonly before: number; readonly keep: number }): Promise<number>;
  /** What the turns of all sessions cost, or of those of one key. */
  totalUsage(key?: SessionKey): Promise<Usage>;
  /** Messages that contain every word of the query, the newest first. Words may be given by their beginning. */
  search(
    query: string,
    options: { readonly scope: SessionScope; readonly limit: number },
  ): Promise<readonly FoundMessage[]>;
  /** The message and those next to it in its transcript, oldest first; undefined if it is gone or out of the scope. */
  around(
    position: number,
    options: { readonly scope: SessionScope; readonly before: number; readonly after: number },
  ): Promise<Passage | undefined>;
}
