import type { ChatMove } from './chat-move.js';
import type { AccountId, MessageId, PlatformId } from './ids.js';
import type { InboundSink } from './inbound.js';
import type { JsonValue } from './json.js';
import type { LinkingFacet } from './linking.js';
import type { Cause, EncodedMessage, Receipt } from './outbound.js';
import type { OutboundPart } from './parts.js';
import type { ApprovalEvent } from './permission-service.js';
import type { Route } from './route.js';
import type { StopReason, TurnEvent } from './turn.js';

/**
 * How well a platform can show a kind of part. `converted`: shown in another form; `fallback`: the kernel replaces
 * it by something simpler; `dropped`: left out without harm; `rejected`: the sender is told.
 */
export type SupportLevel = 'native' | 'converted' | 'fallback' | 'dropped' | 'rejected';

export interface ContentSupport {
  readonly text: {
    readonly level: SupportLevel;
    /** Longest text of one message, in `unit`; counted after markup. */
    readonly maxLength: number;
    readonly unit: 'utf16' | 'code-points' | 'bytes';
    /** What a model has to know to write well here, as one or two sentences: what renders, what does not. */
    readonly hint: string;
  };
}

export type ConnectionState = 'starting' | 'connected' | 'unhealthy' | 'stopped';

export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** What is wrong and what to do, for people; absent while connected. */
  readonly detail?: string;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called on every change of the connection, and with `connected` after each proof of life (a completed poll). */
  readonly report: (status: ConnectionStatus) => void;
  /**
   * A chat goes on under another id. Resolves when that is stored; rejects with a StoreError. To be awaited before
   * anything that came with it is offered or acknowledged.
   */
  readonly onMoved?: (move: Pick<ChatMove, 'from' | 'to'>) => Promise<void>;
}

export interface SendRequest {
  readonly route: Route;
  readonly encoded: EncodedMessage;
  readonly replyTo?: MessageId;
  /** Platforms that can, use it to make a repeat harmless. */
  readonly idempotencyKey: string;
  /** For platforms of ours, which show what others have no words for. Absent in a preview. */
  readonly cause?: Cause;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * One account on one platform. The optional members are facets: their presence is the capability. Every call may
 * reject with a PlatformError (which says what is known of its outcome) or with the signal's reason, nothing else.
 */
export interface PlatformAdapter {
  readonly platform: PlatformId;
  readonly account: AccountId;
  /** True if repeating a send with the same idempotency key never shows a second message. */
  readonly idempotentSend: boolean;
  /** Answered without I/O. */
  support(route: Route): ContentSupport;
  /**
   * Turns the parts of one saying into platform messages that are each within the limits: cuts long text, makes
   * captions and albums. Pure, no I/O, never throws for any text. Nothing visible in the parts gives an empty list.
   */
  encode(parts: readonly OutboundPart[], route: Route): readonly EncodedMessage[];
  /** The same message beginning with `note`; more than one where it no longer fits. Pure. */
  annotate(encoded: EncodedMessage, note: string): readonly EncodedMessage[];
  /**
   * Receives until the signal aborts, then resolves. Connection trouble is reported and survived, for ever if need be.
   * Rejects only for what a restart cannot mend (a refused token).
   */
  run(sink: InboundSink, options: RunOptions): Promise<void>;
  send(request: SendRequest, options: CallOptions): Promise<Receipt>;
  readonly media?: MediaFacet;
  readonly editing?: EditingFacet;
  readonly preview?: PreviewFacet;
  readonly progress?: ProgressFacet;
  readonly typing?: TypingFacet;
  readonly choices?: ChoicesFacet;
  readonly reacting?: ReactingFacet;
  readonly commandMenu?: CommandMenuFacet;
  readonly conclusion?: ConclusionFacet;
  readonly linking?: LinkingFacet;
  readonly approvals?: ApprovalsFacet;
}

/**
 * Shows requests for permission by itself and has its people answer through the gateway's services; then none is sent as
 * a message. Must not block or throw.
 */
export interface ApprovalsFacet {
  publish(route: Route, event: ApprovalEvent): void;
}

/** Nobody reads along: of a turn only its end is sent, whole and as the model wrote it. */
export interface ConclusionFacet {
  /** `interrupted`: it was cut off by a stop of the gateway too often to be begun again. Pure. */
  encode(text: string, reason: StopReason | 'interrupted'): EncodedMessage;
}

export interface MediaFacet {
  /**
   * The bytes of an attached file. Rejects with a PlatformError `refused` whose userText names the limit if it is larger
   * than the platform or `maxBytes` allows.
   */
  fetch(
    handle: JsonValue,
    options: CallOptions & { readonly maxBytes: number },
  ): Promise<AsyncIterable<Uint8Array>>;
}

export interface EditingFacet {
  /** An edit that changes nothing succeeds. Rejects with `message-gone` where a new message has to be sent instead. */
  edit(
    request: Omit<SendRequest, 'idempotencyKey' | 'replyTo'> & { readonly message: MessageId },
    options: CallOptions,
  ): Promise<Receipt>;
}

/** Shows a growing answer by sending a message early and editing it; needs `editing`. */
export interface PreviewFacet {
  /** Shortest time between two edits of this chat that the platform tolerates now; asked before each. No I/O. */
  minIntervalMs(route: Route): number;
  /** The message that shows an unfinished text; undefined while there is nothing to see. Pure. */
  encodePreview(markdown: string, route: Route): EncodedMessage | undefined;
}

/** Shows a turn's own events (a page that draws them itself). Must not block or throw; losing one is harmless. */
export interface ProgressFacet {
  publish(route: Route, event: TurnEvent): void;
}

export interface TypingFacet {
  /** The indicator fades after this time and has to be shown again. */
  readonly lastsMs: number;
  /** `recording`: a voice message is being made; platforms without a sign for that show the usual one. */
  show(route: Route, options: CallOptions & { readonly activity?: Activity }): Promise<void>;
}

/** What is being done in a chat before a message comes. */
export type Activity = 'typing' | 'recording';

/** Shows choices as buttons and hears when one is pressed. */
export interface ChoicesFacet {
  /** More of them are shown as a numbered list. */
  readonly maxChoices: number;
  /**
   * Ends the sign of waiting at the presser's button; `text` (at most 200 characters) is shown to the presser alone.
   */
  acknowledge(press: JsonValue, text: string | undefined, options: CallOptions): Promise<void>;
}

/** What a reaction says. Each platform has its own signs for them. */
export type Reaction = 'working' | 'done' | 'failed';

export interface ReactingFacet {
  /** Shows this one reaction of ours under a message, in the place of an earlier one; undefined takes it away. */
  react(
    target: { readonly route: Route; readonly message: MessageId },
    reaction: Reaction | undefined,
    options: CallOptions,
  ): Promise<void>;
}

export interface CommandInfo {
  readonly name: string;
  readonly description: string;
}

export interface CommandMenuFacet {
  publish(commands: readonly CommandInfo[], options: CallOptions): Promise<void>;
}
