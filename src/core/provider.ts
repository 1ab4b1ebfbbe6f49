import type { ProviderError } from './errors.js';
import type { ToolCallId } from './ids.js';
import type { JsonValue } from './json.js';
import type { StoredFile } from './parts.js';

/** History in the form every model dialect can be translated to. */
export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  /** Pictures that belong to the text, for models that see. Their files may be gone when the history is read again. */
  readonly images?: readonly StoredFile[];
  /** Nobody wrote it: it stands for the earlier part of the conversation. */
  readonly isSummary?: true;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Without reasoning; empty if the step only calls tools. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** True if the text was cut off by a stop or an error. */
  readonly isPartial?: boolean;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly call: ToolCallId;
  readonly text: string;
  readonly isError: boolean;
  /** Pictures that belong to the result, for models that see. Their files may be gone when the history is read again. */
  readonly images?: readonly StoredFile[];
}

export interface ToolCall {
  readonly id: ToolCallId;
  readonly name: string;
  /** As the model wrote it; JSON if the model behaves. Parsed by the tool runner, not by the provider. */
  readonly argumentsText: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: { readonly [key: string]: JsonValue };
}

export interface ModelRequest {
  readonly model: string;
  /** Byte for byte the same for a session's life, so that the service can cache it. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** The content of the messages' images that are to be shown; absent: none is. */
  readonly pictures?: ReadonlyMap<StoredFile, Picture>;
}

export interface Picture {
  /** One that the model services read. */
  readonly mimeType: string;
  readonly base64: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why one model call ended. `tool-calls` exactly if there are any. */
export type ModelStop = 'end' | 'tool-calls' | 'max-tokens' | 'refusal';

/** A stream ends with exactly one `done` or `error`; after it nothing comes. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  /** The model's private thinking; never shown, never stored in the history. */
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** What was streamed so far is void: the call starts again. Made by the retry wrapper only. */
  | { readonly type: 'restart'; readonly reason: ProviderError; readonly waitMs: number }
  /**
   * Another model than the one asked for answers this call, because of `reason`. What was streamed so far is void. Made by
   * the fallback wrapper only.
   */
  | { readonly type: 'stand-in'; readonly reason: ProviderError; readonly model: string }
  | {
      readonly type: 'done';
      readonly stop: ModelStop;
      readonly message: AssistantMessage;
      /** Absent if the service did not say. */
      readonly usage?: Usage;
    }
  | { readonly type: 'error'; readonly error: ProviderError };

export interface Provider {
  readonly name: string;
  /** What the calls of one turn go to, so that they need not each find out anew who answers. Absent: this itself. */
  forTurn?(): Provider;
  /**
   * Once called, failure is never thrown: it is the last event. The one exception is the signal: when it aborts,
   * iteration rejects with its reason.
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}
