import type { ArchiveStore, Person } from './archive.js';
import type { ChatMoveStore } from './chat-move.js';
import type { DirectoryStore } from './directory.js';
import type { GrantStore } from './grant.js';
import type {
  CorrelationId,
  DeliveryId,
  InboxId,
  MessageId,
  PlatformId,
  SessionId,
  SessionKey,
  ToolCallId,
  TurnId,
} from './ids.js';
import type { InboundEvent } from './inbound.js';
import type { JobStore } from './job.js';
import type { NoteStore } from './notes.js';
import type { Delivery, Receipt } from './outbound.js';
import type { PageLogStore } from './page-log.js';
import type { PairingStore } from './pairing.js';
import type { Category } from './permission.js';
import type { PreferenceStore } from './preferences.js';
import type { AssistantMessage, ModelMessage, ToolMessage, Usage, UserMessage } from './provider.js';
import type { QuestionStore } from './question.js';
import type { Caller, TodoStore } from './tool.js';
import type { OpenCall } from './turn.js';

/**
 * Every method is atomic: it is stored whole or not at all, and stored when it resolves. Every method may reject with
 * a StoreError, whose fate says whether the same call may succeed later (a full disk may).
 */
export interface Stores {
  readonly inbox: InboxStore;
  readonly sessions: SessionStore;
  readonly turns: TurnStore;
  readonly outbox: OutboxStore;
  readonly todos: TodoStore;
  readonly pageLog: PageLogStore;
  readonly pairings: PairingStore;
  readonly chatMoves: ChatMoveStore;
  readonly archive: ArchiveStore;
  readonly directory: DirectoryStore;
  readonly preferences: PreferenceStore;
  /** Each platform's own. */
  readonly notes: (platform: PlatformId) => NoteStore;
  readonly questions: QuestionStore;
  readonly grants: GrantStore;
  readonly jobs: JobStore;
  readonly maintenance: MaintenanceStore;
  close(): Promise<void>;
}

export interface InboxEntry {
  readonly id: InboxId;
  /** Absent for an event that was refused: only its dedupe key is kept, nothing of its content. */
  readonly event?: InboundEvent;
  readonly dedupeKey: string;
  readonly receivedAt: number;
}

export interface InboxStore {
  /** Keeps the entries whose dedupe key is new. One answer per entry, in order. */
  accept(entries: readonly InboxEntry[]): Promise<readonly ('stored' | 'duplicate')[]>;
  /** Events accepted and not finished, oldest first; `turn` is the turn they joined, if any. */
  unfinished(): Promise<
    readonly { readonly id: InboxId; readonly event: InboundEvent; readonly turn?: TurnId }[]
  >;
  /** The event needs no more work; its content is forgotten, its dedupe key is not. */
  finish(ids: readonly InboxId[]): Promise<void>;
}

export interface SessionRecord {
  readonly id: SessionId;
  readonly key: SessionKey;
  readonly system: string;
  /** Names of the tools that its model calls offer, the same for its life; absent: it was begun before they were kept. */
  readonly tools?: readonly string[];
  readonly createdAt: number;
  /** Whose conversation it is; absent for one that several people share. */
  readonly person?: Person;
}

export interface SessionStore {
  /** The session that the key stands for now. */
  current(key: SessionKey): Promise<SessionRecord | undefined>;
  /** Begins a new session for the key; the earlier one is kept and no longer current. */
  begin(record: SessionRecord): Promise<void>;
  /** Ends the current session, so that the next message begins another. Nothing happens if there is none. */
  end(key: SessionKey): Promise<void>;
  /**
   * The newest messages of a session, oldest first, at most `limit`. A compacted session begins with its summary, which
   * comes on top of `limit`, and gives only what came after.
   */
  messages(session: SessionId, limit: number): Promise<readonly ModelMessage[]>;
  /**
   * A summary takes the place of everything before the newest `keep` messages, an earlier summary too. What it stands
   * for is kept, for search and export. Nothing happens if there is nothing before them.
   */
  compact(session: SessionId, compaction: { readonly keep: number; readonly summary: string }): Promise<void>;
  /** What its ended turns cost; zeros for a session that is not known. */
  usage(session: SessionId): Promise<SessionUsage>;
}

export interface SessionUsage extends Usage {
  readonly turns: number;
}

export interface TurnRecord {
  readonly id: TurnId;
  readonly session: SessionId;
  readonly sessionKey: SessionKey;
  readonly caller: Caller;
  readonly replyTo?: MessageId;
  readonly correlation: CorrelationId;
  readonly startedAt: number;
  /** Times the turn was begun or taken up again; a turn that keeps killing the process is given up by this. */
  readonly attempts: number;
  /** Present once a live preview was begun: its message id if the platform's answer was stored. */
  readonly preview?: { readonly message?: MessageId };
}

export interface TurnStore {
  /** The turn exists, its inbox entries belong to it, its input is the newest part of the transcript. */
  begin(
    turn: TurnRecord,
    input: {
      readonly entries: readonly InboxId[];
      readonly messages: readonly UserMessage[];
      /** An earlier turn of the session, whose messages are taken out. */
      readonly replaces?: TurnId;
    },
  ): Promise<void>;
  /** Further entries and messages join a running turn. */
  join(
    turn: TurnId,
    input: { readonly entries: readonly InboxId[]; readonly messages: readonly UserMessage[] },
  ): Promise<void>;
  /** A step that calls tools, and the deliveries of its text, which take over the preview: it is forgotten. */
  addStep(turn: TurnId, message: AssistantMessage, deliveries: readonly Delivery[]): Promise<void>;
  callBegun(turn: TurnId, call: ToolCallId, category: Category): Promise<void>;
  /** A call's result, and what the person is told of it. */
  addResult(turn: TurnId, message: ToolMessage, deliveries?: readonly Delivery[]): Promise<void>;
  /** `message` absent: a preview is about to be sent; present: it was. */
  setPreview(turn: TurnId, preview: { readonly message?: MessageId } | undefined): Promise<void>;
  /** The turn is over: its last message, its deliveries and the end of its inbox entries, all or none. */
  end(
    turn: TurnId,
    result: {
      readonly message?: AssistantMessage;
      readonly deliveries: readonly Delivery[];
      /** Added to the session's; absent: nothing is known. */
      readonly usage?: Usage;
    },
  ): Promise<void>;
  /** Turns that a stop or crash left running, oldest first. */
  interrupted(): Promise<readonly TurnRecord[]>;
  /** The turn was let go of in good order: that was no attempt. */
  suspend(turn: TurnId): Promise<void>;
  /** Counts one more attempt and gives the new number. */
  retry(turn: TurnId): Promise<number>;
  /** Calls of this turn that were recorded and have no result, in the order the model made them. */
  openCalls(turn: TurnId): Promise<readonly OpenCall[]>;
}

export interface OutboxStore {
  /** Keeps the deliveries whose idempotency key is new, in order. Gives back those that were new. */
  enqueue(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** A send is about to begin: from here on it may have had its effect. */
  begin(id: DeliveryId): Promise<void>;
  sent(id: DeliveryId, receipt: Receipt): Promise<void>;
  /** Certainly not sent; try again not before `notBefore`. */
  postpone(id: DeliveryId, retry: { readonly notBefore: number; readonly error: string }): Promise<void>;
  /**
   * May have been sent: replaced by `repeats` (marked as possible duplicates; in its place in the order), or, if that
   * is empty, ended as unknown.
   */
  uncertain(
    id: DeliveryId,
    outcome: { readonly error: string; readonly repeats: readonly Delivery[] },
  ): Promise<void>;
  fail(id: DeliveryId, error: string): Promise<void>;
  /** Not begun, and never to be: others go in its place in the order. */
  replace(id: DeliveryId, others: readonly Delivery[]): Promise<void>;
  /** Pending and sending ones, in the order they have to leave. */
  unfinished(): Promise<readonly Delivery[]>;
  find(id: DeliveryId): Promise<Delivery | undefined>;
  /** Those whose idempotency key begins with this, in the order they were stored. */
  keyed(beginning: string): Promise<readonly Delivery[]>;
  /** Forgets ended deliveries whose idempotency key begins with one of these. */
  forget(keyBeginnings: readonly string[]): Promise<void>;
  counts(): Promise<{ readonly pending: number; readonly failed: number; readonly unknown: number }>;
}

export interface MaintenanceStore {
  /** Forgets finished inbox keys, questions whose time was over, and ended deliveries, older than these times (epoch ms). */
  prune(before: { readonly inboxAt: number; readonly outboxAt: number }): Promise<void>;
  /** What the data takes, without room that became free. */
  sizeBytes(): Promise<number>;
  /** Gives a piece of the room that became free back to the disk; false when there is no more. */
  shrink(): Promise<boolean>;
  /** What is wrong with the place where the data lies, as a sentence; undefined if nothing is. */
  problem(): Promise<string | undefined>;
}
