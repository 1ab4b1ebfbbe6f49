import { ProviderError, type ProviderErrorCode, type RetryFate } from '../../src/core/errors.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelEvent, ModelRequest, ModelStop, Provider, ToolCall } from '../../src/core/provider.js';

/** What one model call answers: events, or whatever a function makes of the request. */
export type ScriptedAnswer =
  | readonly ModelEvent[]
  | ((request: ModelRequest, options: { readonly signal: AbortSignal }) => AsyncIterable<ModelEvent>);

/** Gives its answers in order, the last one again and again, and keeps the requests. */
export class ScriptedProvider implements Provider {
  readonly name = 'scripted';
  readonly isDemo = false;
  readonly requests: ModelRequest[] = [];
  #answers: readonly ScriptedAnswer[];

  constructor(...answers: readonly ScriptedAnswer[]) {
    this.#answers = answers;
  }

  /** Further answers, behind those that are left. */
  add(...answers: readonly ScriptedAnswer[]): void {
    this.#answers = [...this.#answers, ...answers];
  }

  warmUp(): Promise<void> {
    return Promise.resolve();
  }

  async *stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    options.signal.throwIfAborted();
    this.requests.push(request);
    const [answer, ...rest] = this.#answers;
    if (answer === undefined) throw new Error('the scripted provider has no answer left');
    if (rest.length > 0) this.#answers = rest;
    for await (const event of typeof answer === 'function' ? answer(request, options) : answer) {
      options.signal.throwIfAborted();
      yield event;
    }
  }
}

interface SayOptions {
  readonly stop?: ModelStop;
  readonly isPartial?: boolean;
  /** The pieces it is streamed in; default: one. */
  readonly deltas?: readonly string[];
}

export const says = (
  text: string,
  { stop = 'end', isPartial, deltas = [text] }: SayOptions = {},
): ScriptedAnswer => [
  ...deltas.map((delta): ModelEvent => ({ type: 'text-delta', text: delta })),
  {
    type: 'done',
    stop,
    message: { role: 'assistant', text, toolCalls: [], ...(isPartial === undefined ? {} : { isPartial }) },
    usage: { inputTokens: 10, outputTokens: 1 },
  },
];

interface CallSketch {
  readonly id?: string;
  readonly name: string;
  /** An object is written as JSON, a string as it is. */
  readonly arguments?: unknown;
}

let callCount = 0;

export const aToolCall = ({ id, name, arguments: given = {} }: CallSketch): ToolCall => {
  callCount += 1;
  return {
    id: toToolCallId(id ?? `call-${callCount}`),
    name,
    argumentsText: typeof given === 'string' ? given : JSON.stringify(given),
  };
};

export const callsTools = (
  calls: readonly CallSketch[],
  { text = '', isPartial }: { readonly text?: string; readonly isPartial?: boolean } = {},
): ScriptedAnswer => [
  ...(text === '' ? [] : [{ type: 'text-delta', text } as const]),
  {
    type: 'done',
    stop: 'tool-calls',
    message: {
      role: 'assistant',
      text,
      toolCalls: calls.map(aToolCall),
      ...(isPartial === undefined ? {} : { isPartial }),
    },
    usage: { inputTokens: 10, outputTokens: 1 },
  },
];

interface FailSketch {
  readonly code?: ProviderErrorCode;
  readonly retry?: RetryFate;
  readonly userText?: string;
  /** Text that was streamed before. */
  readonly partial?: string;
}

export const fails = ({
  code = 'unavailable',
  retry = { kind: 'never' },
  userText = 'The model is away.',
  partial = '',
}: FailSketch = {}): ScriptedAnswer => [
  ...(partial === '' ? [] : [{ type: 'text-delta', text: partial } as const]),
  { type: 'error', error: new ProviderError({ code, message: `scripted ${code}`, retry, userText }) },
];

/** Says the text and then nothing until it is aborted. */
export const hangs = (text = ''): ScriptedAnswer =>
  async function* (_request, { signal }) {
    if (text !== '') yield { type: 'text-delta', text };
    yield await new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
