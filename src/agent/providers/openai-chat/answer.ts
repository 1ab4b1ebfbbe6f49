import { later, ProviderError } from '../../../core/errors.js';
import type { IdSource } from '../../../core/ids.js';
import type { AssistantMessage, ModelEvent, ModelStop, ToolCall, Usage } from '../../../core/provider.js';
import { type Piece, ThinkFilter } from '../kit/think-filter.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { type Fields, toCount, toFields, toList, toText } from './wire.js';

/** Characters of text, thinking and arguments; ten times what the largest models give in one answer. */
const maxAnswerLength = 5_000_000;

/** Puts one answer together from its chunks. */
export class ChatAnswer {
  readonly #think = new ThinkFilter();
  readonly #calls = new ToolCallAssembler();
  #text = '';
  #refusal = '';
  #finishReason = '';
  #usage: Usage | undefined;
  #size = 0;

  /** Whether the service said that the answer is complete; what comes after is of no consequence. */
  get isFinished(): boolean {
    return this.#finishReason !== '';
  }

  /** The answer has grown beyond any use: what made it runs wild. */
  get isEndless(): boolean {
    return this.#size > maxAnswerLength;
  }

  /** Never throws, whatever the chunk is. */
  push(value: unknown): readonly ModelEvent[] {
    const chunk = toFields(value);
    if (typeof chunk['usage'] === 'object' && chunk['usage'] !== null) this.#usage = toUsage(chunk['usage']);
    const choice = toFields(toList(chunk['choices'])[0]);
    this.#finishReason = toText(choice['finish_reason']) || this.#finishReason;
    // An answer without streaming has its message where a chunk has its delta.
    const delta = toFields(choice['delta'] ?? choice['message']);
    for (const call of toList(delta['tool_calls'])) {
      this.#size += toText(toFields(toFields(call)['function'])['arguments']).length;
      this.#calls.push(call);
    }
    const refusal = toText(delta['refusal']);
    this.#refusal += refusal;
    const pieces = [
      ...readReasoning(delta),
      ...readContent(delta['content']).flatMap((piece) => this.#split(piece)),
    ];
    return [...pieces, ...toPieces('text', refusal)].map((piece) => this.#toEvent(piece));
  }

  /** The last events. `isClosed`: the service ended its stream in so many words. */
  finish(ids: IdSource, { isClosed }: { readonly isClosed: boolean }): readonly ModelEvent[] {
    const events = this.#think.end().map((piece) => this.#toEvent(piece));
    if (this.#finishReason === 'error') return [...events, cutOff('the service broke its answer off')];
    if (!this.isFinished && !isClosed && !this.isEndless)
      return [...events, cutOff('the answer ended without being finished')];
    const isRefused = this.#refusal !== '' || this.#finishReason === 'content_filter';
    const isAtLimit =
      this.isEndless || this.#finishReason === 'length' || this.#finishReason === 'max_tokens';
    const isCutOff = isAtLimit || (isRefused && this.#refusal === '');
    const toolCalls = isRefused ? [] : this.#calls.finish(ids);
    const message: AssistantMessage = {
      role: 'assistant',
      text: this.#text,
      toolCalls,
      ...(isCutOff ? { isPartial: true } : {}),
    };
    const stop = isRefused ? 'refusal' : toStop(toolCalls, isAtLimit);
    const usage = this.#usage === undefined ? {} : { usage: this.#usage };
    return [...events, { type: 'done', stop, message, ...usage }];
  }

  #split(piece: Piece): readonly Piece[] {
    return piece.kind === 'text' ? this.#think.push(piece.text) : [piece];
  }

  #toEvent({ kind, text }: Piece): ModelEvent {
    this.#size += text.length;
    if (kind === 'reasoning') return { type: 'reasoning-delta', text };
    this.#text += text;
    return { type: 'text-delta', text };
  }
}

const toStop = (toolCalls: readonly ToolCall[], isAtLimit: boolean): ModelStop => {
  if (toolCalls.length > 0) return 'tool-calls';
  return isAtLimit ? 'max-tokens' : 'end';
};

const toPieces = (kind: Piece['kind'], text: string): readonly Piece[] =>
  text === '' ? [] : [{ kind, text }];

/** Two names are in use for the field; a service that sends both means the same text. */
const readReasoning = (delta: Fields): readonly Piece[] =>
  toPieces('reasoning', toText(delta['reasoning_content']) || toText(delta['reasoning']));

/** A text, or a list of parts of which some are thinking. */
const readContent = (content: unknown): readonly Piece[] => {
  if (!Array.isArray(content)) return toPieces('text', toText(content));
  return content.map(toFields).flatMap((part) => {
    if (part['type'] === 'thinking' || part['type'] === 'reasoning')
      return toPieces(
        'reasoning',
        readContent(part['thinking'])
          .map(({ text }) => text)
          .join(''),
      );
    return toPieces('text', toText(part['text']));
  });
};

const toUsage = (value: object): Usage => {
  const usage = toFields(value);
  return { inputTokens: toCount(usage['prompt_tokens']), outputTokens: toCount(usage['completion_tokens']) };
};

const cutOff = (message: string): ModelEvent => ({
  type: 'error',
  error: new ProviderError({
    code: 'unavailable',
    message,
    retry: later,
    userText:
      'The connection to the model broke off in the middle of its answer. Please send your message again.',
  }),
});
