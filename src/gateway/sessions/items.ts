import type { InboxId, MessageId } from '../../core/ids.js';
import type { InboundEdit, InboundMessage } from '../../core/inbound.js';
import type { InboundPart } from '../../core/parts.js';
import type { UserMessage } from '../../core/provider.js';
import type { TurnRecord } from '../../core/stores.js';
import type { ReceivedParts } from '../media/receive.js';

/** What can wait in a session's mailbox. */
export type SessionItem =
  | {
      readonly type: 'message';
      /** The message's own entry and those of the edits that changed it while it waited. */
      readonly inboxes: readonly InboxId[];
      readonly event: InboundMessage;
      /** The event stands for several messages: an edit of one of them would lose the others. */
      readonly isMerged?: true;
    }
  /** The last message is to be answered anew; `event` is the command that says so. */
  | { readonly type: 'retry'; readonly inboxes: readonly InboxId[]; readonly event: InboundMessage }
  /** A turn that an earlier life of the gateway left unfinished. */
  | { readonly type: 'resume'; readonly turn: TurnRecord };

export type MessageItem = Extract<SessionItem, { type: 'message' }>;

const isSameVoice = (one: InboundMessage, other: InboundMessage): boolean =>
  one.sender.user === other.sender.user && one.origin.thread === other.origin.thread;

/**
 * Takes from the front what one turn can answer: messages of one person in one thread. Permission is decided for the
 * person who asks, so messages of two people never share a turn.
 */
export const takeBatch = (waiting: SessionItem[]): readonly SessionItem[] => {
  const first = waiting[0];
  if (first === undefined) return [];
  if (first.type !== 'message') return waiting.splice(0, 1);
  return waiting.splice(0, countOfVoice(waiting, first.event));
};

/** Takes from the front what may join a running turn of the given message's sender. */
export const takeSteering = (waiting: SessionItem[], voice: InboundMessage): readonly MessageItem[] =>
  waiting.splice(0, countOfVoice(waiting, voice)).filter((item) => item.type === 'message');

const countOfVoice = (waiting: readonly SessionItem[], voice: InboundMessage): number => {
  const end = waiting.findIndex((item) => item.type !== 'message' || !isSameVoice(item.event, voice));
  return end === -1 ? waiting.length : end;
};

/** An edit replaces the message while it still waits, and waits with it. False if it no longer does. */
export const applyEdit = (waiting: SessionItem[], edit: InboundEdit, inbox: InboxId): boolean => {
  const index = waiting.findIndex((item) => item.type === 'message' && item.event.message === edit.message);
  const item = waiting[index];
  if (item?.type !== 'message' || item.isMerged === true) return false;
  const event = { ...item.event, parts: edit.parts };
  waiting[index] = { ...item, inboxes: [...item.inboxes, inbox], event };
  return true;
};

const partText = (part: InboundPart, received: ReceivedParts): string => {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'described':
      return `[The sender shared ${part.description}.]`;
    case 'media': {
      const note = received.get(part)?.note ?? `[The sender attached ${part.description}.]`;
      return part.caption === undefined ? note : `${part.caption}\n${note}`;
    }
    case 'unsupported':
      return `[The sender attached ${part.description}; it cannot be read here yet.]`;
  }
};

const QUOTE_LENGTH = 500;

const quoteText = ({ replyTo }: InboundMessage): string => {
  if (replyTo?.text === undefined || replyTo.text === '') return '';
  const text = replyTo.text.length > QUOTE_LENGTH ? `${replyTo.text.slice(0, QUOTE_LENGTH)}…` : replyTo.text;
  return `[In reply to ${replyTo.senderName ?? 'a message'}: "${text}"]\n`;
};

/**
 * A message as the model reads it. `isShared`: several people write in this session, so each is named. `guidance` goes
 * before it. Without U+0000,
 * which no store keeps, so that every turn reads the same.
 */
export const toUserMessage = (
  event: InboundMessage,
  isShared: boolean,
  received: ReceivedParts = new Map(),
  guidance = '',
): UserMessage => {
  const parts = event.parts.map((part) => partText(part, received)).join('\n\n');
  const name = isShared ? `${event.sender.displayName}: ` : '';
  const images = event.parts.flatMap((part) => received.get(part)?.image ?? []);
  return {
    role: 'user',
    text: `${guidance === '' ? '' : `${guidance}\n\n`}${name}${quoteText(event)}${parts}`.replaceAll(
      '\0',
      '',
    ),
    ...(images.length > 0 && { images }),
  };
};

/** The message an answer quotes: in a group the one it answers, in a private chat none, unless it is a call. */
export const replyTarget = (event: InboundMessage): MessageId | undefined =>
  event.origin.chatKind === 'direct' && event.isCall !== true ? undefined : event.message;
