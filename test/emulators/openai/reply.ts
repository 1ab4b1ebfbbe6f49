import { isObject, type JsonObject, messagesOf, promptLength, unansweredUserTexts } from './conversation.js';
import type { EchoReply, RawChunks, Reply, UsageSpec } from './script.js';
import { type IssuedCall, joinToolCallDeltas, pieces, toToolCallDeltas } from './tool-call-deltas.js';
import type { AcceptedBody } from './validate.js';

/** Source of ids that no other answer of this process has. */
export interface IssuedIds {
  completion(): string;
  toolCall(): string;
}

/** A reply in both forms: the chunks of a stream and the body of a plain answer. */
export interface Rendered {
  readonly chunks: readonly unknown[];
  readonly completion: unknown;
  readonly text: string | null;
}

interface Draft {
  readonly envelope: JsonObject;
  readonly reply: Reply;
  readonly content: string | null;
  readonly finishReason: string | null;
  readonly usage: JsonObject;
  /** Whether the stream was asked to report usage; every chunk then has the member. */
  readonly usageAsked: boolean;
  readonly calls: readonly IssuedCall[];
}

export function toReply(echo: EchoReply, body: JsonObject): Reply {
  const content = `echo: ${unansweredUserTexts(messagesOf(body)).join(' | ')}`;
  return { ...echo, type: 'reply', content };
}

/** Renders only the form that will be sent. */
export function renderReply(reply: Reply, request: AcceptedBody, ids: IssuedIds, streams: boolean): Rendered {
  const draft = toDraft(reply, request, ids);
  return {
    chunks: streams ? toChunks(draft) : [],
    completion: streams ? undefined : toCompletion(draft),
    text: draft.content,
  };
}

export function renderRawChunks(raw: RawChunks, request: AcceptedBody, ids: IssuedIds): Rendered {
  return {
    chunks: raw.chunks,
    completion: raw.completion ?? joinChunks(raw.chunks, request, ids),
    text: null,
  };
}

function toDraft(reply: Reply, request: AcceptedBody, ids: IssuedIds): Draft {
  const { body } = request;
  const content = reply.content ?? (reply.deltas === undefined ? null : reply.deltas.join(''));
  const calls = (reply.toolCalls ?? []).map((call) => ({
    ...call,
    id: call.id === undefined ? ids.toolCall() : call.id,
  }));
  const hasCalls = calls.length > 0 || reply.toolCallDeltas !== undefined;
  const options = body['stream_options'];
  return {
    envelope: {
      id: ids.completion(),
      created: Math.floor(Date.now() / 1000),
      model: request.model,
      service_tier: 'default',
      system_fingerprint: 'fp_emulated',
    },
    reply,
    content,
    finishReason: reply.finishReason === undefined ? (hasCalls ? 'tool_calls' : 'stop') : reply.finishReason,
    usage: toUsage(reply.usageTokens ?? {}, promptLength(body), outputLength(reply, content)),
    usageAsked: isObject(options) && options['include_usage'] === true,
    calls,
  };
}

function toChunks(draft: Draft): unknown[] {
  const { reply, envelope, usage } = draft;
  const asked = reply.usage === 'always' || (reply.usage !== 'never' && draft.usageAsked);
  const usageMember = asked ? { usage: null } : {};
  const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...usageMember,
  });
  const chunks: unknown[] = [
    chunk({ role: 'assistant', content: draft.content === null ? null : '', refusal: null }),
  ];
  const reasoningField = reply.reasoningField ?? 'reasoning_content';
  for (const text of reply.reasoning ?? []) chunks.push(chunk({ [reasoningField]: text }));
  for (const text of contentDeltas(reply, draft.content)) chunks.push(chunk({ content: text }));
  if (reply.refusal !== undefined) chunks.push(chunk({ refusal: reply.refusal }));
  const calls = toToolCallDeltas(draft.calls, reply.toolCallStyle ?? {}).map((delta) => [delta]);
  for (const group of [...calls, ...(reply.toolCallDeltas ?? [])]) chunks.push(chunk({ tool_calls: group }));
  if (reply.usage === 'with-finish') {
    chunks.push({ ...chunk({}, draft.finishReason), usage });
  } else {
    if (draft.finishReason !== null) chunks.push(chunk({}, draft.finishReason));
    if (asked) chunks.push({ ...envelope, object: 'chat.completion.chunk', choices: [], usage });
  }
  return chunks;
}

function contentDeltas(reply: Reply, content: string | null): readonly string[] {
  if (reply.deltas !== undefined) return reply.deltas;
  if (content === null || content === '') return [];
  return reply.chunkSize === undefined ? [content] : pieces(content, reply.chunkSize);
}

function toCompletion(draft: Draft): JsonObject {
  const { reply, calls } = draft;
  const toolCalls = [
    ...calls.map(({ id, name, arguments: text }) => ({
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { name, arguments: text },
    })),
    ...joinToolCallDeltas(reply.toolCallDeltas ?? []),
  ];
  const reasoning =
    reply.reasoning === undefined
      ? {}
      : { [reply.reasoningField ?? 'reasoning_content']: reply.reasoning.join('') };
  const message = {
    role: 'assistant',
    content: draft.content,
    refusal: reply.refusal ?? null,
    annotations: [],
    ...reasoning,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    ...draft.envelope,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: draft.finishReason }],
    ...(reply.usage === 'never' ? {} : { usage: draft.usage }),
  };
}

function outputLength(reply: Reply, content: string | null): number {
  const calls = (reply.toolCalls ?? []).reduce(
    (sum, call) => sum + call.name.length + call.arguments.length,
    0,
  );
  return (content ?? '').length + (reply.reasoning ?? []).join('').length + calls;
}

function toUsage(tokens: UsageSpec, promptCharacters: number, outputCharacters: number): JsonObject {
  const prompt = tokens.promptTokens ?? Math.ceil(promptCharacters / 4);
  const completion = tokens.completionTokens ?? Math.ceil(outputCharacters / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: tokens.cachedTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: tokens.reasoningTokens ?? 0, audio_tokens: 0 },
  };
}

/** A plain body for a script that only says chunks. */
function joinChunks(chunks: readonly unknown[], request: AcceptedBody, ids: IssuedIds): JsonObject {
  let content: string | null = null;
  let finishReason: unknown = null;
  const groups: unknown[][] = [];
  for (const chunk of chunks) {
    const choices = isObject(chunk) ? chunk['choices'] : undefined;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) continue;
    const delta = choice['delta'];
    if (isObject(delta)) {
      if (typeof delta['content'] === 'string') content = (content ?? '') + delta['content'];
      if (Array.isArray(delta['tool_calls'])) groups.push(delta['tool_calls']);
    }
    finishReason = choice['finish_reason'] ?? finishReason;
  }
  const calls = joinToolCallDeltas(groups);
  return {
    id: ids.completion(),
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
  };
}
