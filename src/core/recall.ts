/** Earlier conversations as tools may look at them. */
import type { Caller } from './caller.js';
import type { SessionId, TurnId } from './ids.js';
import type { ModelMessage } from './provider.js';

/** Who asks, and in which session and turn. */
export interface Asker {
  readonly caller: Caller;
  readonly session: SessionId;
  readonly turn: TurnId;
}

/** `all`: everybody's conversations; `own`: the caller's own. Absent: the widest that the caller may look at. */
export type RecallScope = 'all' | 'own';

/** What was looked at; `here`: the conversations of this chat. */
export type RecallReach = 'all' | 'own' | 'here';

export type Recalled<Found> =
  | { readonly ok: true; readonly reach: RecallReach; readonly found: Found }
  | { readonly ok: false; readonly problem: string };

export interface RecalledMessage {
  /** By which {@link RecallService.around} finds it again. */
  readonly id: number;
  readonly session: SessionId;
  /** Where it was said, as a target would name it. */
  readonly place: string;
  /** On the clocks of the configured time zone. */
  readonly time: string;
  readonly role: ModelMessage['role'];
  /** What stands around the hit, or the whole text. */
  readonly text: string;
  readonly isThisConversation: boolean;
}

export interface RecalledSession {
  readonly session: SessionId;
  readonly place: string;
  readonly title: string;
  /** When it was last used. */
  readonly time: string;
  readonly messages: number;
  readonly isThisConversation: boolean;
}

/**
 * What was said in earlier conversations, as far as the caller may know of it: an owner in a private chat of everything,
 * others there of their own conversations, everybody elsewhere of what was said in that very place.
 */
export interface RecallService {
  /** The newest first. */
  search(
    request: { readonly query: string; readonly limit: number; readonly scope?: RecallScope },
    asker: Asker,
  ): Promise<Recalled<readonly RecalledMessage[]>>;
  /** A message with those before and after it, oldest first; empty if there is no such message for the caller. */
  around(
    request: {
      readonly message: number;
      readonly before: number;
      readonly after: number;
      readonly scope?: RecallScope;
    },
    asker: Asker,
  ): Promise<Recalled<readonly RecalledMessage[]>>;
  /** The latest used first. */
  recent(
    request: { readonly limit: number; readonly scope?: RecallScope },
    asker: Asker,
  ): Promise<Recalled<readonly RecalledSession[]>>;
}
