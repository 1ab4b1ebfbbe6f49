import { isAbort, later, ProviderError, type ProviderErrorCode } from '../core/errors.js';
import type { AssistantMessage, ModelEvent, ModelRequest, ModelStop, Usage } from '../core/provider.js';
import type { TurnRun } from './turn-run.js';

/** How one model call came out. `partialText` was shown to the person and is not the whole answer. */
export type ModelAnswer =
  | {
      readonly kind: 'answered';
      readonly stop: ModelStop;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      /** The model that answered in place of the one that was asked; absent: none did. */
      readonly standIn?: string;
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
  let standIn: string | undefined;
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
      case 'stand-in':
        shown.reset();
        standIn = event.model;
        run.activity.modelAsked(standIn);
        noticeStandIn(run, event);
        break;
      case 'done': {
        const { stop, message, usage = noUsage } = event;
        if (standIn === undefined) run.memory.toldStandIns.delete(run.input.session);
        const answer = { kind: 'answered', stop, message, usage, isShown: shown.text !== '' } as const;
        return standIn === undefined ? answer : { ...answer, standIn };
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

const reasons: Readonly<Partial<Record<ProviderErrorCode, string>>> = {
  'quota-exhausted': 'is out of credit',
  unauthorized: 'refuses its key',
  'model-not-found': 'was not found',
  'rate-limited': 'is too busy',
};

/** A session is told once for as long as the same model stands in. */
const noticeStandIn = (
  { emit, input, memory }: TurnRun,
  { reason, model }: Extract<ModelEvent, { type: 'stand-in' }>,
): void => {
  if (memory.toldStandIns.get(input.session) === model) return;
  memory.toldStandIns.set(input.session, model);
  const why = reasons[reason.code] ?? 'is out of order';
  emit({
    type: 'notice',
    turn: input.turn,
    text: `⚠️ The model ${input.model} ${why}, so ${model} answers for now.`,
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
