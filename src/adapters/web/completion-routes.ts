/** The agent as a model, for clients that speak OpenAI's chat completions. */
import type { Context, Hono } from 'hono';
import type { CompletionEvent } from '../../core/completion.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import type { StopReason, TurnEnd } from '../../core/turn.js';
import { type AskedCompletion, parseCompletion } from './completion-request.js';
import { askSession } from './completion-session.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, failed, toErrorBody } from './http-problem.js';
import { parseSession, sessionRule } from './ids.js';
import { readJsonBody } from './json-body.js';
import type { SessionRoutesDeps } from './session-routes.js';

interface CompletionRouteDeps extends SessionRoutesDeps {
  readonly services: AdapterPorts['services'];
}

/** What every piece of one answer says of it. */
interface Head {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
}

const finishReasons: Readonly<Record<StopReason, 'stop' | 'length' | 'content_filter'>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'content_filter',
  cancelled: 'stop',
  error: 'stop',
};

const toUsage = ({ usage: { inputTokens, outputTokens } }: TurnEnd) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

const failure = ({ text }: TurnEnd) => failed(502, 'unavailable', text).problem;

const answerWhole = async (
  context: Context<HttpEnv>,
  events: AsyncIterable<CompletionEvent>,
  head: Head,
): Promise<Response> => {
  let said = '';
  for await (const event of events) {
    if (event.type === 'text') {
      said += event.text;
      continue;
    }
    const { end } = event;
    if (end.reason === 'error') return answerProblem(context, failure(end));
    const message = { role: 'assistant', content: said.trim(), refusal: null };
    const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[end.reason] };
    return context.json({ ...head, object: 'chat.completion', choices: [choice], usage: toUsage(end) });
  }
  throw new Error('a completion ended without its end');
};

async function* toChunks(
  events: AsyncIterable<CompletionEvent>,
  head: Head,
  hasUsage: boolean,
): AsyncGenerator<string, void, undefined> {
  const line = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  const chunk = (delta: object, reason: string | null = null): string => {
    const choice = { index: 0, delta, logprobs: null, finish_reason: reason };
    return line({ ...head, object: 'chat.completion.chunk', choices: [choice] });
  };
  yield chunk({ role: 'assistant', content: '' });
  for await (const event of events) {
    if (event.type === 'text') {
      yield chunk({ content: event.text });
      continue;
    }
    const { end } = event;
    if (end.reason === 'error') yield line(toErrorBody(failure(end)));
    else yield chunk({}, finishReasons[end.reason]);
    if (hasUsage) yield line({ ...head, object: 'chat.completion.chunk', choices: [], usage: toUsage(end) });
  }
  yield 'data: [DONE]\n\n';
}

const toStream = (chunks: AsyncGenerator<string>, cancel: () => void): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel,
  });
};

export const addCompletionRoutes = (app: Hono<HttpEnv>, deps: CompletionRouteDeps): void => {
  const { services, ports, maxBodyBytes } = deps;
  const { clock, ids } = ports;
  const { completions } = services;

  app.get('/v1/models', (context) =>
    context.json({
      object: 'list',
      data: completions.models().map((id) => ({ id, object: 'model', created: 0, owned_by: 'hermes' })),
    }),
  );

  app.post('/v1/chat/completions', async (context) => {
    const body = await readJsonBody(context, maxBodyBytes);
    const asked = body.ok ? parseCompletion(body.value) : body;
    if (!asked.ok) return answerProblem(context, asked.problem);
    const gone = new AbortController();
    const signal = AbortSignal.any([context.req.raw.signal, context.env.closing, gone.signal]);
    const named = context.req.header('x-hermes-session-id');
    if (named === undefined) {
      const events = completions.complete(asked.value.request, { signal });
      return answer(context, asked.value, events, () => gone.abort());
    }
    const session = parseSession(named);
    if (session === undefined)
      return answerProblem(context, failed(400, 'invalid-request', sessionRule).problem);
    const text = asked.value.request.messages.at(-1)?.text ?? '';
    const events = await askSession(session, text, deps, signal);
    if (!events.ok) return answerProblem(context, events.problem);
    return answer(context, asked.value, events.value, () => gone.abort());
  });

  const answer = (
    context: Context<HttpEnv>,
    { request, isStreamed, hasUsage }: AskedCompletion,
    events: AsyncIterable<CompletionEvent>,
    cancel: () => void,
  ): Response | Promise<Response> => {
    const head: Head = {
      id: `chatcmpl-${ids.next('correlation')}`,
      created: Math.floor(clock.now() / 1000),
      model: request.model ?? completions.models()[0] ?? '',
    };
    if (!isStreamed) return answerWhole(context, events, head);
    const stream = toStream(toChunks(events, head, hasUsage), cancel);
    return context.body(stream, 200, { 'content-type': 'text/event-stream; charset=utf-8' });
  };
};
