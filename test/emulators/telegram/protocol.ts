/** What the control endpoint takes and gives. The typed client in `control.ts` speaks exactly this. */
import type { ErrorParameters } from './api-error.js';
import type { Entity } from './text/entity.js';

export type ChatType = 'private' | 'group' | 'supergroup' | 'channel';

export interface UserSpec {
  readonly id: number;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly username?: string;
  readonly language_code?: string;
  readonly is_bot?: boolean;
}

export interface TopicSpec {
  readonly id: number;
  readonly name?: string;
  readonly closed?: boolean;
}

/**
 * How the bot stands in the chat. `ok`; `not-found` (the bot never met it); `blocked` or `deactivated` (private);
 * `kicked` or `left` (groups).
 */
export type ChatStanding = 'ok' | 'not-found' | 'blocked' | 'deactivated' | 'kicked' | 'left';

export interface ChatSpec {
  readonly id: number;
  /** Default by the id: positive is private, -100… is a supergroup, other negative ones are groups. */
  readonly type?: ChatType;
  readonly title?: string;
  readonly username?: string;
  /** True by itself when topics are given on a supergroup. */
  readonly is_forum?: boolean;
  /** Threads that exist. On a private chat: topics are switched on there. */
  readonly topics?: readonly TopicSpec[];
  readonly standing?: ChatStanding;
  /** Set when the group became this supergroup; sends then answer 400 with `migrate_to_chat_id`. */
  readonly migratedTo?: number;
  /** Default false. An administrator sees everything in spite of privacy mode and deletes others' messages. */
  readonly botIsAdmin?: boolean;
}

export interface WorldSpec {
  readonly bot?: Partial<UserSpec> & { readonly has_topics_enabled?: boolean };
  readonly users?: readonly UserSpec[];
  readonly chats?: readonly ChatSpec[];
  /** On: in groups the bot sees only commands, mentions of itself and replies to itself. Default off. */
  readonly privacyMode?: boolean;
  /** First ids to give. After a restart of the emulator both must be above all that were given before. */
  readonly startIds?: { readonly update?: number; readonly message?: number };
  readonly rateLimit?: RateLimit;
}

/** Sends and edits allowed between two `tick` calls; one more answers 429. Absent means no limit. */
export interface RateLimit {
  readonly perChat?: number;
  readonly overall?: number;
  /** Seconds to say in the 429. Default 1. */
  readonly retryAfter?: number;
}

export interface CallRecord {
  /** From 1, in the order of arrival. */
  readonly id: number;
  /** In the API's spelling, also when the client wrote it in lower case. */
  readonly method: string;
  /** As understood: JSON inside form fields decoded, a chat id of digits as a number, a file as {fileName, sizeBytes, mimeType}. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Arrival, epoch milliseconds with fractions. */
  readonly receivedAt: number;
  /** When the answer was handed to the socket. Absent while pending, and when there was none. */
  readonly answeredAt?: number;
  /** `pending` still held or polling; `dropped` the connection was cut with no or half an answer; `gone` the client left first. */
  readonly outcome: 'pending' | 'answered' | 'dropped' | 'gone';
  /** True when the call had its effect (also when nobody was told). */
  readonly applied: boolean;
  readonly status?: number;
  /** The answer's JSON, when it was JSON. */
  readonly response?: ApiResponse;
  /** What the real server does without saying so: entities dropped, cut or over the limit, links thrown away. */
  readonly warnings: readonly string[];
  /** The fault that fired on this call. */
  readonly faultId?: number;
}

export interface ApiResponse {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: ErrorParameters;
}

/** Filter over calls; every given field must match. */
export interface CallFilter {
  readonly method?: string;
  readonly chatId?: number;
  readonly threadId?: number;
  /** Looked for in `text` and `caption`. */
  readonly textContains?: string;
  /** True: only calls with entities or a parse mode. False: only plain ones. */
  readonly formatted?: boolean;
  /** True: answered ok. False: answered with an error. */
  readonly ok?: boolean;
}

export interface FaultSpec extends Omit<CallFilter, 'ok'> {
  /** Fires first on the nth matching call, counted from 1 at registration. Default 1. */
  readonly nth?: number;
  /** How many matching calls in a row from there. Default 1. */
  readonly times?: number | 'always';
  readonly action: FaultAction;
}

/** `applied`: whether the call has its effect although nobody is told. */
export type FaultAction =
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly description: string;
      readonly parameters?: ErrorParameters;
    }
  | { readonly kind: 'html'; readonly status: number; readonly body?: string }
  | { readonly kind: 'drop'; readonly applied: boolean }
  /** Half of the answer's bytes, then the connection is cut. The call is applied. */
  | { readonly kind: 'truncate' }
  /** No answer until `release`, then the connection is cut. */
  | { readonly kind: 'hang'; readonly applied: boolean }
  /** No answer until `release`, then the usual one. `applied`: already before the release. */
  | { readonly kind: 'delay'; readonly applied: boolean };

export interface FaultState {
  readonly id: number;
  readonly spec: FaultSpec;
  readonly seen: number;
  readonly fired: number;
  readonly held: number;
}

/** One message as a person sees it now. */
export interface ChatMessage {
  readonly messageId: number;
  readonly chatId: number;
  readonly from: 'bot' | 'user';
  readonly userId: number;
  readonly name: string;
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly threadId?: number;
  readonly replyTo?: number;
  readonly edits: number;
  readonly deleted: boolean;
  /** Every text it has had, the present one last. */
  readonly history: readonly string[];
  readonly buttons: readonly (readonly {
    readonly text: string;
    readonly callbackData?: string;
    readonly url?: string;
  }[])[];
  /** `photo`, `voice`, `document` … when the message is one; its text is then the caption. */
  readonly media?: string;
  /** Reactions of the bot. */
  readonly reactions: readonly string[];
}

/** An update in friendly form. Chats, users and topics that are not known yet are created. */
export type UpdateSpec =
  | MessageUpdate
  | EditUpdate
  | {
      readonly kind: 'callback_query';
      readonly userId: number;
      readonly chatId: number;
      readonly messageId: number;
      readonly data: string;
    }
  | {
      readonly kind: 'my_chat_member';
      readonly userId: number;
      readonly chatId: number;
      readonly status: 'member' | 'administrator' | 'left' | 'kicked';
    }
  /** Verbatim; without an `update_id` the next one is given. */
  | { readonly kind: 'raw'; readonly update: Readonly<Record<string, unknown>> }
  /** The same update once more, with the same id, whatever was confirmed. */
  | { readonly kind: 'redeliver'; readonly updateId: number };

export interface MessageUpdate {
  readonly kind: 'message';
  readonly userId: number;
  /** Default: the private chat with that user. */
  readonly chatId?: number;
  readonly text?: string;
  /** Default: found in the text (commands, mentions, links …). */
  readonly entities?: readonly Entity[];
  readonly threadId?: number;
  /** Id of a message in the same chat. */
  readonly replyTo?: number;
  /** Further message fields as the API names them: photo, voice, caption, forward_origin, media_group_id … */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Unix seconds. Default now. */
  readonly date?: number;
}

export interface EditUpdate {
  readonly kind: 'edited_message';
  readonly chatId: number;
  readonly messageId: number;
  readonly text: string;
  readonly entities?: readonly Entity[];
}

export interface PushedUpdate {
  readonly updateId: number;
  /** Absent for updates that are no message. */
  readonly messageId?: number;
  /** False when privacy mode, the bot's standing or allowed_updates kept it from the bot. */
  readonly queued: boolean;
}

/** What `wait` can wait for. */
export type WaitCondition =
  /** So many finished calls that match, whatever came of them; with `pending` those still open count too. */
  | ({ readonly kind: 'calls'; readonly count: number; readonly pending?: boolean } & CallFilter)
  | {
      readonly kind: 'message';
      readonly chatId: number;
      readonly contains?: string;
      readonly equals?: string;
      readonly from?: 'bot' | 'user';
    }
  /** So many visible messages of the bot. */
  | { readonly kind: 'bot-messages'; readonly chatId: number; readonly count: number }
  /** Something in the chat is newer than this version. */
  | { readonly kind: 'chat-changed'; readonly chatId: number; readonly after: number }
  /** A getUpdates is waiting with an empty queue. */
  | { readonly kind: 'poll' }
  /** The bot confirmed this update by asking for a later one. */
  | { readonly kind: 'confirmed'; readonly updateId: number }
  /** So many calls are held by delay or hang faults. */
  | { readonly kind: 'held'; readonly count: number; readonly faultId?: number };

export interface WorldState {
  readonly bot: UserSpec;
  readonly pendingUpdates: number;
  readonly lastUpdateId: number;
  readonly polling: boolean;
  readonly calls: number;
  readonly allowedUpdates: readonly string[] | null;
  readonly webhookUrl: string;
  /** Status of every answer that the webhook gave, 0 where none came. */
  readonly webhookAnswers: readonly number[];
}
