/** Builders of stored records: everything but what a test is about has a default. */
import {
  type InboxId,
  toAccountId,
  toChatId,
  toCorrelationId,
  toDeliveryId,
  toInboxId,
  toMessageId,
  toPlatformId,
  toSessionId,
  toSessionKey,
  toToolCallId,
  toTurnId,
  toUserId,
} from '../../../src/core/ids.js';
import type { InboundMessage } from '../../../src/core/inbound.js';
import type { Delivery } from '../../../src/core/outbound.js';
import type { PageEvent } from '../../../src/core/page-log.js';
import type { AssistantMessage, ToolMessage, UserMessage } from '../../../src/core/provider.js';
import type { Origin } from '../../../src/core/route.js';
import type { InboxEntry, SessionRecord, Stores, TurnRecord } from '../../../src/core/stores.js';

export const origin: Origin = {
  platform: toPlatformId('matrix'),
  account: toAccountId('@bot:example.org'),
  chat: toChatId('!room:example.org'),
  chatKind: 'group',
};

export const anEvent = (dedupeKey: string, over: Partial<InboundMessage> = {}): InboundMessage => ({
  type: 'message',
  dedupeKey,
  correlation: toCorrelationId(`c-${dedupeKey}`),
  origin,
  sender: { user: toUserId('@ada:example.org'), displayName: 'Ada', isBot: false },
  receivedAt: 1000,
  message: toMessageId(`m-${dedupeKey}`),
  sentAt: 900,
  parts: [{ type: 'text', text: `text of ${dedupeKey}` }],
  addressed: 'mention',
  ...over,
});

/** The entry `name` has the id `name` and the dedupe key `key-name`. */
export const anEntry = (name: string, over: Partial<InboxEntry> = {}): InboxEntry => ({
  id: toInboxId(name),
  event: anEvent(`key-${name}`),
  dedupeKey: `key-${name}`,
  receivedAt: 1000,
  ...over,
});

export const aRefusedEntry = (name: string, receivedAt = 1000): InboxEntry => ({
  id: toInboxId(name),
  dedupeKey: `key-${name}`,
  receivedAt,
});

export const inboxIds = (...names: string[]): InboxId[] => names.map(toInboxId);

/** The session `name` of the key `key`. */
export const aSession = (name: string, key = 'key', over: Partial<SessionRecord> = {}): SessionRecord => ({
  id: toSessionId(name),
  key: toSessionKey(key),
  system: `system of ${name}`,
  createdAt: 500,
  ...over,
});

export const aTurn = (name: string, over: Partial<TurnRecord> = {}): TurnRecord => ({
  id: toTurnId(name),
  session: toSessionId('s1'),
  sessionKey: toSessionKey('key'),
  caller: { origin, user: toUserId('@ada:example.org'), isOwner: true },
  correlation: toCorrelationId(`c-${name}`),
  startedAt: 1000,
  attempts: 1,
  ...over,
});

/** The delivery `name` has the id `name` and the idempotency key `key-name`. */
export const aDelivery = (name: string, over: Partial<Delivery> = {}): Delivery => ({
  id: toDeliveryId(name),
  route: { platform: origin.platform, account: origin.account, chat: origin.chat },
  encoded: {
    text: `text of ${name}`,
    payload: { text: `text of ${name}`, entities: [{ type: 'bold', offset: 0 }] },
  },
  cause: { kind: 'notice' },
  idempotencyKey: `key-${name}`,
  correlation: toCorrelationId(`c-${name}`),
  state: 'pending',
  attempts: 0,
  isRepeat: false,
  createdAt: 1000,
  notBefore: 0,
  ...over,
});

export const user = (text: string): UserMessage => ({ role: 'user', text });

/** An assistant's message that calls the tool `look` once for each given id. */
export const assistant = (text: string, ...calls: string[]): AssistantMessage => ({
  role: 'assistant',
  text,
  toolCalls: calls.map((id) => ({ id: toToolCallId(id), name: 'look', argumentsText: `{"at":"${id}"}` })),
});

export const toolResult = (call: string, over: Partial<ToolMessage> = {}): ToolMessage => ({
  role: 'tool',
  call: toToolCallId(call),
  text: `result of ${call}`,
  isError: false,
  ...over,
});

export const aPageEvent = (
  message: string,
  over: Partial<Omit<PageEvent, 'sequence'>> = {},
): Omit<PageEvent, 'sequence'> => ({
  session: 'p1',
  type: 'message',
  message: toMessageId(message),
  role: 'user',
  text: `text of ${message}`,
  at: 1000,
  ...over,
});

/** Session `s1` exists and turn `t1` of it runs, having been begun by the given entries. */
export const withRunningTurn = async (stores: Stores, entries: readonly string[] = []): Promise<void> => {
  await stores.inbox.accept(entries.map((name) => anEntry(name)));
  await stores.sessions.begin(aSession('s1'));
  await stores.turns.begin(aTurn('t1'), { entries: inboxIds(...entries), messages: [user('question')] });
};

export const unfinishedInbox = async (stores: Stores): Promise<string[]> =>
  (await stores.inbox.unfinished()).map(({ id }) => id);

export const unfinishedOutbox = async (stores: Stores): Promise<string[]> =>
  (await stores.outbox.unfinished()).map(({ id }) => id);
