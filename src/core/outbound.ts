import type { CorrelationId, DeliveryId, MessageId, TurnId } from './ids.js';
import type { JsonValue } from './json.js';
import type { OutboundPart } from './parts.js';
import type { Route } from './route.js';

/** Why a message is sent: an answer, a command's answer, a notice of the gateway itself, a tool, an operator, a job. */
export type Cause =
  /** `isFailure`: it says that the turn failed. */
  | { readonly kind: 'turn'; readonly turn: TurnId; readonly isFailure?: true }
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'notice' }
  | { readonly kind: 'tool' }
  | { readonly kind: 'operator' }
  /** Nobody waits for it: with an unknown outcome it is not sent again. */
  | { readonly kind: 'job' };

/** What the rooms above the platforms say; text is Markdown. */
export interface OutboundMessage {
  readonly route: Route;
  readonly parts: readonly OutboundPart[];
  readonly replyTo?: MessageId;
  readonly cause: Cause;
  /** The same for the same saying however often it is composed; chunks append their number. */
  readonly idempotencyKey: string;
  readonly correlation: CorrelationId;
  /** A preview of this text is already on the screen: its first chunk replaces that message. */
  readonly replaces?: PreviewHandle;
}

/** A live preview as it stands on the platform. `message` is absent if it is not known whether it was sent. */
export interface PreviewHandle {
  readonly message?: MessageId;
}

/**
 * One platform message, made by the platform's `encode`: `payload` is its own business (plain data, storable),
 * `text` is what a person will read, for logs and for platforms that refuse the formatting.
 */
export interface EncodedMessage {
  readonly text: string;
  readonly payload: JsonValue;
  /** Paths of the stored files that the payload refers to; kept until the delivery has ended. */
  readonly files?: readonly string[];
  /** Not sent as it is: it stands for a voice message that has yet to be made. */
  readonly speech?: SpeechOrder;
}

/** A voice message that is to be made and sent. */
export interface SpeechOrder {
  /** What is said, made for the ear. */
  readonly ear: string;
  /** By name; absent: by the settings and the language. */
  readonly voice?: string;
  /** What is sent where it cannot be made: the written answer, unless that is sent in any case. */
  readonly instead: readonly EncodedMessage[];
}

/** Evidence that the platform took a message. */
export interface Receipt {
  /** Every platform message that came of it, in order; never empty. */
  readonly messages: readonly MessageId[];
  readonly sentAt: number;
}

export type DeliveryState =
  | 'pending'
  | 'sending'
  | 'sent'
  /** Refused for good; `error` says why. */
  | 'failed'
  /** May or may not have arrived, and is not repeated. */
  | 'unknown';

/** One row of the outbox: one platform message on its way. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly route: Route;
  readonly encoded: EncodedMessage;
  readonly replyTo?: MessageId;
  readonly cause: Cause;
  readonly idempotencyKey: string;
  readonly correlation: CorrelationId;
  /** Edit this message instead of sending a new one. */
  readonly edits?: MessageId;
  readonly state: DeliveryState;
  /** Sends begun so far. */
  readonly attempts: number;
  /** True once a send of it had an unknown outcome: the next one is marked as a possible duplicate. */
  readonly isRepeat: boolean;
  readonly createdAt: number;
  /** Not to be tried before, epoch ms. */
  readonly notBefore: number;
  readonly receipt?: Receipt;
  readonly error?: string;
}

/** How a delivery ended, for whoever waits for it. */
export type DeliveryOutcome =
  | { readonly state: 'sent'; readonly receipt: Receipt }
  | { readonly state: 'failed' | 'unknown'; readonly error: string };
