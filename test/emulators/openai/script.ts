/**
 * What a test can tell the emulator to do: plain JSON, shared by the server, the control client and the builders.
 *
 * Positions count server-sent events, the role chunk being event 0: position k is "after k events were sent".
 * 'head' is before the status line, 'each' before every event, 'end' after the last chunk and before `[DONE]`.
 * In an answer without streaming the body is cut in two halves, so position 1 is the middle of the body.
 */
export type Position = 'head' | 'each' | 'end' | number;

/** FIN closes politely, RST is what a crashed peer sends. */
export type CutKind = 'fin' | 'rst';

/** The members of `{"error": {…}}` as OpenAI spells them. */
export interface ApiError {
  readonly message: string;
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
}

export type Fault =
  /** The answer pauses until a permit of the named gate is released. */
  | { readonly type: 'gate'; readonly at: Position; readonly name: string }
  | { readonly type: 'cut'; readonly at: Position; readonly how: CutKind }
  /** An event `{"error": …}` is sent and the stream ends without `[DONE]`. `named` adds `event: error`. */
  | { readonly type: 'error'; readonly at: Position; readonly error: ApiError; readonly named?: boolean }
  /** The response ends in good order here: no finish reason, no `[DONE]`. */
  | { readonly type: 'stop'; readonly at: Position };

/** How the bytes look on the wire. Absent members are what OpenAI does. */
export interface Wire {
  /** Bytes per HTTP chunk, each written alone. */
  readonly cutEvery?: number;
  /** Byte offsets to cut at, counted from the start of each run of bytes between two pauses. */
  readonly cutAt?: readonly number[];
  /** 'mixed' ends the events with LF and CRLF in turn. */
  readonly lineEnd?: 'lf' | 'crlf' | 'mixed';
  /** A comment line before every event. */
  readonly comments?: boolean;
  /** false: no `[DONE]`. */
  readonly done?: boolean;
  /** false: the last event has no line end at all. */
  readonly finalNewline?: boolean;
  /** false: `data:{…}` without the space. */
  readonly dataSpace?: boolean;
}

interface Common {
  readonly faults?: readonly Fault[];
  readonly wire?: Wire;
  /** Answers in this form whatever the request asked for, as some imitators do. */
  readonly form?: 'json' | 'sse';
}

export interface ToolCallSpec {
  readonly name: string;
  /** Sent as it is, valid JSON or not. */
  readonly arguments: string;
  /** Absent: the server makes a unique one. null: the id is left out everywhere. */
  readonly id?: string | null;
}

/** How tool calls are cut into deltas. Absent members are what OpenAI does. */
export interface ToolCallStyle {
  /** 'first': id and name in a call's first delta; 'every': in each delta; 'whole': one delta holds the whole call. */
  readonly identity?: 'first' | 'every' | 'whole';
  /** 'zero': every call has index 0. */
  readonly index?: 'given' | 'missing' | 'zero';
  /** The deltas of parallel calls alternate. */
  readonly interleaved?: boolean;
  /** Characters of arguments in a delta, default 12. */
  readonly fragmentSize?: number;
  /** Characters of the name in a delta, default all. */
  readonly nameFragmentSize?: number;
}

/** Tokens to report; what is absent is estimated at four characters a token. */
export interface UsageSpec {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

export interface ReplyOptions extends Common {
  /** Characters of content in a delta; default: all of it in one. */
  readonly chunkSize?: number;
  readonly reasoning?: readonly string[];
  /** Default 'reasoning_content'. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly refusal?: string;
  /** Default 'stop', or 'tool_calls' where there are any; null: never sent. */
  readonly finishReason?: string | null;
  /** 'asked' honours stream_options (default); 'always', 'never'; 'with-finish' puts it into the finish chunk. */
  readonly usage?: 'asked' | 'always' | 'never' | 'with-finish';
  readonly usageTokens?: UsageSpec;
}

export interface Reply extends ReplyOptions {
  readonly type: 'reply';
  /** Default null. */
  readonly content?: string | null;
  /** The content in these pieces. */
  readonly deltas?: readonly string[];
  readonly toolCalls?: readonly ToolCallSpec[];
  readonly toolCallStyle?: ToolCallStyle;
  /** One chunk for each inner list, which becomes `delta.tool_calls` verbatim. */
  readonly toolCallDeltas?: readonly (readonly unknown[])[];
}

/** Quotes the user texts that came after the last answer, joined by ` | `, behind `echo: `. */
export interface EchoReply extends ReplyOptions {
  readonly type: 'echo';
}

export interface RawChunks extends Common {
  readonly type: 'chunks';
  /** Each becomes one event: an object as JSON, a string as it is. */
  readonly chunks: readonly unknown[];
  /** The body when the request does not stream; default: put together from the chunks. */
  readonly completion?: unknown;
}

export interface RawBytes extends Common {
  readonly type: 'bytes';
  readonly base64: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpAnswer extends Common {
  readonly type: 'http';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ScriptedResponse = Reply | EchoReply | RawChunks | RawBytes | HttpAnswer;

/** All given members must hold. */
export interface Condition {
  /** The last user message contains this, also while tool results follow it. */
  readonly userText?: string;
  /** Source of a regular expression for the last user message. */
  readonly userTextMatches?: string;
  /** Any message (system too) contains this. */
  readonly anyText?: string;
  /** Tool results came after the last answer. */
  readonly toolResults?: boolean;
  /** One of these tool results contains this. */
  readonly toolResultText?: string;
  /** The world's nth accepted request, from 1. */
  readonly call?: number;
  readonly model?: string;
  readonly stream?: boolean;
}

export interface Rule {
  readonly when: Condition;
  /** Used in order, one for each matching request; then the rule is spent. */
  readonly respond: readonly ScriptedResponse[];
  /** The last response serves all later matches. */
  readonly repeat?: boolean;
}

export interface WorldOptions {
  /** What answers when no rule matches and the queue is empty; default: the echo. */
  readonly fallback?: ScriptedResponse;
  /** 'lax' checks only JSON, model and messages, as many imitators do; default 'real'. */
  readonly strictness?: 'real' | 'lax';
  /** A longer prompt (four characters a token) is refused with context_length_exceeded. */
  readonly contextTokens?: number;
  /** Ids of `GET /models`. */
  readonly models?: readonly string[];
  /** Another model is refused with 404; default: any name is served. */
  readonly onlyListedModels?: boolean;
  /** Requests kept, default 20,000. */
  readonly logCapacity?: number;
  /** Bodies kept, counted as received, default 128 MiB. */
  readonly logBytes?: number;
}

export type Outcome = 'open' | 'complete' | 'cut' | 'client-closed';

export interface RecordedAnswer {
  readonly from: 'rule' | 'queue' | 'fallback' | 'refusal';
  readonly type: ScriptedResponse['type'];
  readonly status: number;
  /** The content, tool calls apart; null for raw answers. */
  readonly text: string | null;
  /** Why the request was refused. */
  readonly error?: ApiError;
  /** Writes handed to the connection so far: events, or pieces where the wire cuts them. */
  readonly sentCount: number;
  readonly outcome: Outcome;
  /** The gate it waits at. */
  readonly waitingAt?: string;
}

export interface RecordedRequest {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** Epoch ms. */
  readonly at: number;
  readonly path: string;
  /** Lower-case names; the key is masked. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed, or the text as received if it is not JSON. */
  readonly body: unknown;
  readonly lastUserText: string;
  readonly answer: RecordedAnswer;
}

export interface WorldStatus {
  readonly requestCount: number;
  readonly refusedCount: number;
  /** Answers not yet ended. */
  readonly openCount: number;
  readonly queuedResponses: number;
  readonly liveRules: number;
  readonly modelListCount: number;
  /** Requests that no longer fit into the log. */
  readonly droppedCount: number;
  /** Gate name → answers waiting there. */
  readonly waiting: Readonly<Record<string, number>>;
}
