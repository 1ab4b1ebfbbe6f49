/**
 * Every id is an opaque branded string. Platform ids (chat, user, message …) are made by the platform folder's
 * `ids.ts` through the `to…` functions below; ids of our own come from an {@link IdSource}. Nobody else may
 * assume anything about what is inside them, above all not that it is free of separators.
 */
declare const brand: unique symbol;
type Branded<Kind extends string> = string & { readonly [brand]: Kind };

/** A platform's name as settings and targets spell it, e.g. `matrix`. Lower case letters and digits. */
export type PlatformId = Branded<'platform'>;
/** One logged-in account of a platform (the bot's own user id there). */
export type AccountId = Branded<'account'>;
/** A conversation on a platform: a private chat, a group, a channel. */
export type ChatId = Branded<'chat'>;
/** A topic or thread inside a chat. */
export type ThreadId = Branded<'thread'>;
export type UserId = Branded<'user'>;
/** The platform's id of one message; unique only within its chat. */
export type MessageId = Branded<'message'>;

/** Names the conversation whose history belongs together; computed by one pure function from origin and policy. */
export type SessionKey = Branded<'session-key'>;
/** One life of a session key: `/new` keeps the key and starts another id. */
export type SessionId = Branded<'session'>;
export type TurnId = Branded<'turn'>;
/** One row of the inbox. */
export type InboxId = Branded<'inbox'>;
/** One row of the outbox: one message on a platform. */
export type DeliveryId = Branded<'delivery'>;
/** A question with answers to choose from. */
export type QuestionId = Branded<'question'>;
/** A permission that was given for more than one call. */
export type GrantId = Branded<'grant'>;
/** Ties every log line from the received update to the receipt of its answer. */
export type CorrelationId = Branded<'correlation'>;
/** The model's id of a tool call, unique within its turn. */
export type ToolCallId = Branded<'tool-call'>;

export const toPlatformId = (text: string): PlatformId => text as PlatformId;
export const toAccountId = (text: string): AccountId => text as AccountId;
export const toChatId = (text: string): ChatId => text as ChatId;
export const toThreadId = (text: string): ThreadId => text as ThreadId;
export const toUserId = (text: string): UserId => text as UserId;
export const toMessageId = (text: string): MessageId => text as MessageId;
export const toSessionKey = (text: string): SessionKey => text as SessionKey;
export const toSessionId = (text: string): SessionId => text as SessionId;
export const toTurnId = (text: string): TurnId => text as TurnId;
export const toInboxId = (text: string): InboxId => text as InboxId;
export const toDeliveryId = (text: string): DeliveryId => text as DeliveryId;
export const toCorrelationId = (text: string): CorrelationId => text as CorrelationId;
export const toQuestionId = (text: string): QuestionId => text as QuestionId;
export const toGrantId = (text: string): GrantId => text as GrantId;
export const toToolCallId = (text: string): ToolCallId => text as ToolCallId;

interface IdKinds {
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly inbox: InboxId;
  readonly delivery: DeliveryId;
  readonly correlation: CorrelationId;
  readonly 'tool-call': ToolCallId;
  readonly question: QuestionId;
  readonly grant: GrantId;
}

/** Hands out ids that never repeat, also across restarts, and sort by the time they were made. */
export interface IdSource {
  next<Kind extends keyof IdKinds>(kind: Kind): IdKinds[Kind];
}
