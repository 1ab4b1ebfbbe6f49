/** Makes scripted responses. Every builder returns plain data; the last group changes a response that was built. */
import { contextExceeded, type Refusal, unknownKey, unknownModel } from './api-errors.js';
import type {
  ApiError,
  CutKind,
  EchoReply,
  Fault,
  HttpAnswer,
  Position,
  RawBytes,
  RawChunks,
  Reply,
  ReplyOptions,
  ScriptedResponse,
  ToolCallSpec,
  ToolCallStyle,
  Wire,
} from './script.js';

export function echo(options: ReplyOptions = {}): EchoReply {
  return { ...options, type: 'echo' };
}

/** `null` and `''` are answers that models give too. */
export function text(content: string | null, options: ReplyOptions = {}): Reply {
  return { ...options, type: 'reply', content };
}

/** Text streamed in exactly these pieces. */
export function deltas(pieces: readonly string[], options: ReplyOptions = {}): Reply {
  return { ...options, type: 'reply', deltas: pieces };
}

/** Private reasoning before the content; `options.reasoningField` names the member. */
export function reasoning(
  thought: string | readonly string[],
  content: string | null,
  options: ReplyOptions = {},
): Reply {
  return { ...options, type: 'reply', reasoning: typeof thought === 'string' ? [thought] : thought, content };
}

export function refusal(reason: string, options: ReplyOptions = {}): Reply {
  return { ...options, type: 'reply', refusal: reason };
}

export interface CallInput {
  readonly name: string;
  /** An object is sent as JSON, a string as it is. */
  readonly arguments: unknown;
  /** See ToolCallSpec. */
  readonly id?: string | null;
}

export interface ToolCallOptions extends ReplyOptions {
  /** Text that comes before the calls. */
  readonly content?: string;
  readonly style?: ToolCallStyle;
}

export function toolCalls(calls: readonly CallInput[], options: ToolCallOptions = {}): Reply {
  const { style, ...rest } = options;
  return {
    ...rest,
    type: 'reply',
    toolCalls: calls.map(toSpec),
    ...(style === undefined ? {} : { toolCallStyle: style }),
  };
}

/** One call; `options.id` sets its id. */
export function toolCall(
  name: string,
  callArguments: unknown,
  options: ToolCallOptions & { readonly id?: string | null } = {},
): Reply {
  const { id, ...rest } = options;
  return toolCalls([{ name, arguments: callArguments, ...(id === undefined ? {} : { id }) }], rest);
}

/** Each inner list is one chunk's `delta.tool_calls`, verbatim. */
export function toolCallDeltas(groups: readonly (readonly unknown[])[], options: ReplyOptions = {}): Reply {
  return { ...options, type: 'reply', toolCallDeltas: groups };
}

/** Chunk objects verbatim; a string becomes the `data:` of an event as it is. */
export function chunks(
  list: readonly unknown[],
  options: Omit<RawChunks, 'type' | 'chunks'> = {},
): RawChunks {
  return { ...options, type: 'chunks', chunks: list };
}

/** The bytes of the body verbatim, also for a stream; cut points are in `options.wire`. */
export function rawBytes(
  body: string | Uint8Array,
  options: Omit<RawBytes, 'type' | 'base64'> = {},
): RawBytes {
  return { ...options, type: 'bytes', base64: Buffer.from(body).toString('base64') };
}

export interface HttpErrorOptions {
  readonly message?: string;
  readonly type?: string | null;
  readonly param?: string | null;
  readonly code?: string | null;
  /** Seconds, or a date in HTTP's form. */
  readonly retryAfter?: string | number | Date;
  readonly retryAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** OpenAI's error body under any status. */
export function httpError(status: number, options: HttpErrorOptions = {}): HttpAnswer {
  const body = JSON.stringify({ error: toApiError(options, status) });
  return { type: 'http', status, headers: toHeaders(options), body };
}

/** What a proxy answers when its backend is gone. */
export function htmlError(status: number, options: HttpErrorOptions = {}): HttpAnswer {
  const title = `${status} ${options.message ?? 'Bad Gateway'}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body>\r\n</html>\r\n`;
  return { type: 'http', status, headers: { 'content-type': 'text/html', ...toHeaders(options) }, body };
}

export function emptyError(status: number, options: HttpErrorOptions = {}): HttpAnswer {
  return { type: 'http', status, headers: toHeaders(options), body: '' };
}

/** Any body under any status, 200 too. */
export function rawBody(body: string, status = 200, contentType = 'application/json'): HttpAnswer {
  return { type: 'http', status, headers: { 'content-type': contentType }, body };
}

export function rateLimited(options: HttpErrorOptions = {}): HttpAnswer {
  const message =
    'Rate limit reached for emulated-small in organization org-emulated on requests per min (RPM): Limit 3, Used 3, Requested 1.';
  return httpError(429, { message, type: 'requests', code: 'rate_limit_exceeded', ...options });
}

export function quota(options: HttpErrorOptions = {}): HttpAnswer {
  const message = 'You exceeded your current quota, please check your plan and billing details.';
  return httpError(429, { message, type: 'insufficient_quota', code: 'insufficient_quota', ...options });
}

export function contextTooLong(limit = 8192, tokens = 10_000): HttpAnswer {
  return toHttpAnswer(contextExceeded(limit, tokens));
}

export function badKey(): HttpAnswer {
  return toHttpAnswer(unknownKey('sk-emulated-bad-key'));
}

export function modelNotFound(model = 'emulated-gone'): HttpAnswer {
  return toHttpAnswer(unknownModel(model));
}

/** No byte comes until the gate is released; then `then` is answered. */
export function hang(gateName = 'hang', then: ScriptedResponse = echo()): ScriptedResponse {
  return gate(then, gateName, 'head');
}

/** The connection ends before the status line. */
export function cutBeforeHead(how: CutKind = 'rst'): ScriptedResponse {
  return addFault(echo(), { type: 'cut', at: 'head', how });
}

/** The answer waits at a gate; `at` defaults to before the status line. */
export function gate<R extends ScriptedResponse>(response: R, name: string, at: Position = 'head'): R {
  return addFault(response, { type: 'gate', at, name });
}

/** The status line leaves at once, and each event waits for a permit of its own. */
export function slowly<R extends ScriptedResponse>(response: R, gateName = 'slow'): R {
  return addFault(response, { type: 'gate', at: 'each', name: gateName });
}

/** The connection ends after so many events; the role chunk is the first. */
export function cutAfter<R extends ScriptedResponse>(
  response: R,
  eventCount: number,
  how: CutKind = 'rst',
): R {
  return addFault(response, { type: 'cut', at: eventCount, how });
}

/** After so many events an error event ends the stream. */
export function errorAfter<R extends ScriptedResponse>(
  response: R,
  eventCount: number,
  options: HttpErrorOptions & { readonly named?: boolean } = {},
): R {
  const { named = false, ...error } = options;
  return addFault(response, { type: 'error', at: eventCount, error: toApiError(error, 500), named });
}

/** After so many events the stream ends in good order, without finish reason and `[DONE]`. */
export function stopAfter<R extends ScriptedResponse>(response: R, eventCount: number): R {
  return addFault(response, { type: 'stop', at: eventCount });
}

export function onWire<R extends ScriptedResponse>(response: R, wire: Wire): R {
  return { ...response, wire: { ...response.wire, ...wire } };
}

/** Faults at the same place happen in the order they were added. */
function addFault<R extends ScriptedResponse>(response: R, fault: Fault): R {
  return { ...response, faults: [...(response.faults ?? []), fault] };
}

function toHttpAnswer({ status, error }: Refusal): HttpAnswer {
  return httpError(status, error);
}

function toSpec(call: CallInput): ToolCallSpec {
  const { arguments: value } = call;
  return { ...call, arguments: typeof value === 'string' ? value : JSON.stringify(value) };
}

function toApiError(options: HttpErrorOptions, status: number): ApiError {
  const type =
    options.type === undefined ? (status >= 500 ? 'server_error' : 'invalid_request_error') : options.type;
  return {
    message: options.message ?? 'The emulator was told to answer with an error.',
    type,
    param: options.param ?? null,
    code: options.code ?? null,
  };
}

function toHeaders({ headers = {}, retryAfter, retryAfterMs }: HttpErrorOptions): Record<string, string> {
  const all: Record<string, string> = { ...headers };
  if (retryAfter !== undefined) {
    all['retry-after'] = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  }
  if (retryAfterMs !== undefined) all['retry-after-ms'] = String(retryAfterMs);
  return all;
}
