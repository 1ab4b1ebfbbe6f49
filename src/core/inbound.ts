import type { CorrelationId, MessageId, UserId } from './ids.js';
import type { JsonValue } from './json.js';
import type { InboundPart } from './parts.js';
import type { Origin } from './route.js';

export interface Sender {
  readonly user: UserId;
  readonly displayName: string;
  readonly isBot: boolean;
  /** Groups of people that the platform counts the sender among; absent: it has no such thing. */
  readonly roles?: readonly string[];
}

/** How a message asks for us: in private, by name, as an answer to one of ours, or not at all. */
export type Addressed = 'direct' | 'mention' | 'reply' | 'none';

export interface QuotedMessage {
  readonly message: MessageId;
  /** Shortened by the adapter to what is worth showing the model. */
  readonly text?: string;
  readonly senderName?: string;
}

interface InboundBase {
  /**
   * The same for the same happening however often the platform delivers it, different for every other one; unique
   * across platforms and accounts. Built from the platform's message id, not from a delivery counter.
   */
  readonly dedupeKey: string;
  readonly correlation: CorrelationId;
  readonly origin: Origin;
  readonly sender: Sender;
  readonly receivedAt: number;
}

export interface InboundMessage extends InboundBase {
  readonly type: 'message';
  readonly message: MessageId;
  /** The platform's own time of the message, epoch ms. */
  readonly sentAt: number;
  readonly parts: readonly InboundPart[];
  readonly addressed: Addressed;
  readonly replyTo?: QuotedMessage;
  /** Messages with the same album belong together and arrive one by one. */
  readonly album?: string;
  /** The text ends near the platform's length limit: the sender's client may have cut it, and the rest follows. */
  readonly mayContinue?: boolean;
  /** Somebody else's words, passed on by the sender. */
  readonly isForwarded?: boolean;
  /** Its platform shows it as waiting until something replies to it: every answer names it. */
  readonly isCall?: boolean;
  /** Written by a program that waits for the answer: nobody is there who could be asked. */
  readonly isProgram?: boolean;
  /** Names of the skills that its turn may have; absent: all. */
  readonly skills?: readonly string[];
  /** Name of the skill that its sender chose for it. */
  readonly explicitSkill?: string;
}

/** A person changed a message they sent earlier; `parts` is its whole new content. */
export interface InboundEdit extends InboundBase {
  readonly type: 'edit';
  readonly message: MessageId;
  readonly parts: readonly InboundPart[];
  readonly addressed: Addressed;
}

export interface InboundStop extends InboundBase {
  readonly type: 'action';
  readonly action: 'stop';
}

/** A choice was pressed, perhaps of a message that was sent long ago. */
export interface InboundChoice extends InboundBase {
  readonly type: 'action';
  readonly action: 'choose';
  /** As it was sent, if the presser's client is honest. */
  readonly token: string;
  /** The message with the choices. */
  readonly message: MessageId;
  /** What the choices facet acknowledges it by; plain data. */
  readonly press: JsonValue;
}

/** Something pressed or called rather than written. */
export type InboundAction = InboundStop | InboundChoice;

export type InboundEvent = InboundMessage | InboundEdit | InboundAction;

/** What became of an event: kept and on its way, seen before, or from somebody who may not write here. */
export type AcceptOutcome = 'stored' | 'duplicate' | 'refused';

export interface InboundSink {
  /**
   * Takes a batch in the order received, all or nothing. Resolves when every event is durably stored: only then may
   * the adapter acknowledge upstream. Rejects with a StoreError when storing failed; the adapter then does not
   * acknowledge, reports itself unhealthy and offers the batch again later. One outcome per event.
   */
  accept(events: readonly InboundEvent[]): Promise<readonly AcceptOutcome[]>;
}
