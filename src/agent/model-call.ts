import { isAbort, later, ProviderError } from '../core/errors.js';
import type { AssistantMessage, ModelRequest, ModelStop, Usage } from '../core/provider.js';
import type { TurnRun } from './turn-run.js';

/** How one model call came out. `partialText` was shown to the person and is not the whole answer. */
export type ModelAnswer =
  | {
      readonly kind: 'answered';
      readonly stop: ModelStop;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      /** Whether any of the text, even if only blanks, went out as deltas. */
      readonly isShown: boolean;
    }
  | { readonly kind: 'failed'; readonly error: ProviderError; readonly partialText: string }
  | { readonly kind: 'cancelled'; readonly partialText: string };

/** Waits that a person would notice; shorter ones are not worth a notice. */
const noticeableWaitMs = 10_000;
const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** Streams one answer of the model to the person. Never throws. */
export const callModel = async (run: TurnRun, request: ModelRequest): Promise<ModelAnswer> => {
  const shown = new ShownText(run);
  try {
    return await readAnswer(run, request, shown);
  } catch (error) {
    if (isAbort(error, run.signal) || run.signal.aborted)
      return { kind: 'cancelled', partialText: shown.text };
    run.logger.error({ provider: run.provider.name, error }, 'model provider threw instead of reporting');
    return { kind: 'failed', error: brokenStream(), partialText: shown.text };
  }
};

const readAnswer = async (run: TurnRun, request: ModelRequest, shown: ShownText): Promise<ModelAnswer> => {
  run.activity.modelAsked(request.model);
  for await (const event of run.provider.stream(request, { signal: run.signal })) {
    run.activity.touch();
    switch (event.type) {
      case 'text-delta':
        shown.add(event.text);
        break;
      case 'reasoning-delta':
        break;
      case 'restart':
        shown.reset();
        noticeWait(run, event.waitMs);
        break;
      case 'done': {
        const { stop, message, usage = noUsage } = event;
        return { kind: 'answered', stop, message, usage, isShown: shown.text !== '' };
      }
      case 'error':
        return { kind: 'failed', error: event.error, partialText: shown.text };
    }
  }
  return { kind: 'failed', error: brokenStream(), partialText: shown.text };
};

const noticeWait = ({ emit, input }: TurnRun, waitMs: number): void => {
  if (waitMs < noticeableWaitMs) return;
  const seconds = Math.ceil(waitMs / 1000);
  emit({
    type: 'notice',
    turn: input.turn,
    text: `The model is busy. I will try again in ${seconds} seconds.`,
  });
};

const brokenStream = (): ProviderError =>
  new ProviderError({
    code: 'unavailable',
    message: 'the model provider ended its stream without saying how',
    retry: later,
    userText: 'The connection to the model failed. Please send your message again.',
  });

class ShownText {
  text = '';
  readonly #run: TurnRun;

  constructor(run: TurnRun) {
    this.#run = run;
  }

  add(text: string): void {
    if (text === '') return;
    this.text += text;
    this.#run.emit({ type: 'text-delta', turn: this.#run.input.turn, text });
  }

  reset(): void {
    if (this.text === '') return;
    this.text = '';
    this.#run.emit({ type: 'text-reset', turn: this.#run.input.turn });
  }
}
