import type { ProviderError } from './errors.js';
import type { CorrelationId, PlatformId, SessionId, ToolCallId, TurnId } from './ids.js';
import type { Logger } from './logger.js';
import type { Category } from './permission.js';
import type {
  AssistantMessage,
  ModelMessage,
  ToolCall,
  ToolMessage,
  Usage,
  UserMessage,
} from './provider.js';
import type { Caller } from './tool.js';

/** Why a turn ended, in the words of the Agent Client Protocol, plus `error`. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'error';

/** What a turn tells while it runs; the last one is `turn-end`, and it always comes. */
export type TurnEvent =
  | { readonly type: 'turn-start'; readonly turn: TurnId }
  | { readonly type: 'text-delta'; readonly turn: TurnId; readonly text: string }
  /** The text of the running step is void and starts again. */
  | { readonly type: 'text-reset'; readonly turn: TurnId }
  /** Something worth telling that is not part of the answer, e.g. waiting for a busy model. */
  | { readonly type: 'notice'; readonly turn: TurnId; readonly text: string }
  /** A step that calls tools is complete and stored; its text, if any, is a message of its own. */
  | { readonly type: 'step-end'; readonly turn: TurnId; readonly text: string }
  | {
      readonly type: 'tool-start';
      readonly turn: TurnId;
      readonly call: ToolCallId;
      readonly name: string;
      readonly summary: string;
    }
  | {
      readonly type: 'tool-end';
      readonly turn: TurnId;
      readonly call: ToolCallId;
      readonly name: string;
      readonly isError: boolean;
      readonly summary: string;
    }
  | TurnEnd;

export interface TurnEnd {
  readonly type: 'turn-end';
  readonly turn: TurnId;
  readonly reason: StopReason;
  /** What the person is to read: the answer, or what went wrong in a sentence. Empty only if cancelled. */
  readonly text: string;
  /** What joins the history; absent if nothing worth keeping was said. */
  readonly message?: AssistantMessage;
  readonly error?: ProviderError;
  readonly usage: Usage;
  readonly steps: number;
}

/**
 * The turn's durable record, kept by whoever runs the turn. Every method resolves when stored; a rejection ends the
 * turn with an error before anything further happens.
 */
export interface TurnJournal {
  /** Before any of its calls runs: the step's text is delivered, its calls are remembered. */
  step(message: AssistantMessage): Promise<void>;
  /** Right before a call runs: from here on it may have had its effect. */
  callBegun(call: ToolCall, category: Category): Promise<void>;
  /** `notice`: what the person is told of it, stored with the result or not at all. */
  result(message: ToolMessage, notice?: string): Promise<void>;
  /** Messages that arrived during the turn and join before the next model call; empty if there are none. */
  takeSteering(): Promise<readonly UserMessage[]>;
  /**
   * A summary takes the place of all but the newest `keep` of the session's stored messages: those of `history` and what
   * this journal took since.
   */
  compact(compaction: { readonly keep: number; readonly summary: string }): Promise<void>;
}

/** A call of an interrupted turn that has no result yet. */
export interface OpenCall {
  readonly call: ToolCall;
  /** False: certainly not run. True: may have had its effect. */
  readonly isBegun: boolean;
  readonly category?: Category;
}

/** A turn in which nothing happens for so long is ended. */
export interface InactivityLimit {
  /** 0: none is. */
  readonly timeoutMs: number;
  /** Where in config.yaml it is set. */
  readonly setting: string;
}

export interface TurnInput {
  readonly turn: TurnId;
  readonly session: SessionId;
  readonly model: string;
  readonly system: string;
  /** Names of the tools that the session has; absent: all there are. */
  readonly tools?: readonly string[];
  /** The session's stored messages, ending with the input of this turn; may be damaged (repaired by the turn). */
  readonly history: readonly ModelMessage[];
  /** Calls of the last assistant message that a crash left open; empty for a fresh turn. */
  readonly openCalls: readonly OpenCall[];
  readonly caller: Caller;
  readonly correlation: CorrelationId;
  /** Most model calls of this turn. */
  readonly maxSteps: number;
  readonly contextTokens: number;
  /** In place of the agent's own. */
  readonly inactivity?: InactivityLimit;
  /** Absolute; the folder in which its tools work, in place of the workspace. */
  readonly workspace?: string;
}

/** The agent as the gateway sees it. */
export interface Agent {
  /** `logger` names the turn on every line. Iterates to `turn-end`, also when the signal aborts (reason `cancelled`). Never throws. */
  run(
    input: TurnInput,
    journal: TurnJournal,
    options: { readonly signal: AbortSignal; readonly logger: Logger },
  ): AsyncIterable<TurnEvent>;
  /** The bytes that open every model call of a new session. Reads SOUL.md and AGENTS.md. */
  systemPrompt(context: SystemPromptContext): Promise<string>;
  /** Names of the tools that a session that begins now on this platform has for its life, sorted. */
  toolNames(platform: PlatformId): Promise<readonly string[]>;
}

export interface SystemPromptContext {
  /** Absent: nothing is told that depends on what the platform has. */
  readonly platform?: PlatformId;
  readonly platformTitle: string;
  readonly chatKind: 'direct' | 'group' | 'channel';
  /** From the platform's content support. */
  readonly renderingHint: string;
  /** Nobody is there: the operator's standing instructions are for conversations. Default false. */
  readonly isUnattended?: boolean;
  /** Absolute; the folder in which tools work, in place of the workspace, and whose standing instructions hold. */
  readonly workspace?: string;
  /** Whoever begins the conversation is an owner. Default false. */
  readonly isOwner?: boolean;
  /** Names of the skills that are told of; absent: all. */
  readonly skills?: readonly string[];
}
