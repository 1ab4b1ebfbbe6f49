/**
 * One turn: model calls and tool calls in turn, until the model answers or something ends it.
 *
 * 1. A step's calls are in the journal before any of them runs, so a crash can tell a call that had no chance to act
 *    from one that may have acted.
 * 2. Every call has exactly one result, also after an abort: the next model call would be refused otherwise.
 * 3. Nothing empty, half or private joins the history: no empty answer, no reasoning, no nudge.
 * 4. A failure ends the turn with one sentence for the person; it is never thrown.
 */
import { GatewayError, never, ProviderError } from '../core/errors.js';
import type { ToolCallId } from '../core/ids.js';
import type { AssistantMessage, ModelMessage, ToolCall } from '../core/provider.js';
import type { StopReason, TurnEnd } from '../core/turn.js';
import { TurnInactive } from './activity-watch.js';
import { askModel } from './ask-model.js';
import type { ModelAnswer } from './model-call.js';
import { settleOpenCalls } from './open-calls.js';
import { isCompleteObject } from './parse-arguments.js';
import { repairHistory, withReadableArguments } from './repair-history.js';
import { runCalls } from './run-calls.js';
import { trimAnswer } from './short-text.js';
import type { TurnRun } from './turn-run.js';
import { addUsage, newTurnState, type TurnState } from './turn-state.js';

/** Two more tries: an empty answer is mostly a hiccup, but a model can be stuck in it. */
const maxEmptyAnswers = 3;
/** A model whose calls are cut off at its output limit again and again will not learn. */
const maxCutOffSteps = 3;
const acceptableId = /^[\w-]{1,40}$/u;

type Answered = Extract<ModelAnswer, { kind: 'answered' }>;

/** Runs a turn to its end. Tells everything but the start and the end through `run.emit`. Never throws. */
export const runTurn = async (run: TurnRun): Promise<TurnEnd> => {
  const state = newTurnState();
  try {
    const results = await settleOpenCalls(run);
    state.stored = [...run.input.history, ...results];
    state.messages = [...repairHistory(state.stored)];
    return await takeSteps(run, state);
  } catch (error) {
    run.logger.error({ turn: run.input.turn, error }, 'turn ended by a failure of its own');
    const userText = error instanceof GatewayError ? error.userText : undefined;
    return endTurn(run, state, 'error', {
      text: userText ?? 'Something went wrong on my side, so I had to stop. Please try again.',
    });
  }
};

const takeSteps = async (run: TurnRun, state: TurnState): Promise<TurnEnd> => {
  while (state.steps < run.input.maxSteps) {
    if (run.signal.aborted) return endTurn(run, state, 'cancelled', { text: '' });
    joinHistory(state, await run.journal.takeSteering());
    const answer = await askModel(run, state);
    state.steps += 1;
    if (answer.kind === 'cancelled') return cancelled(run, state, answer.partialText);
    if (answer.kind === 'failed') return failed(run, state, answer);
    state.usage = addUsage(state.usage, answer.usage);
    const end = await useAnswer(run, state, answer);
    if (end !== undefined) return end;
  }
  return endTurn(run, state, 'max_turn_requests', {
    text:
      `I stopped after ${state.steps} model calls, the limit of one turn (agent.max_iterations in config.yaml). ` +
      'Write “continue” to let me go on.',
  });
};

const joinHistory = (state: TurnState, messages: readonly ModelMessage[]): void => {
  state.stored.push(...messages);
  state.messages.push(...messages);
};

/** Undefined: the turn goes on. */
const useAnswer = async (run: TurnRun, state: TurnState, answer: Answered): Promise<TurnEnd | undefined> => {
  if (run.signal.aborted) return cancelled(run, state, answer.message.text);
  if (answer.message.toolCalls.length > 0) return takeToolStep(run, state, answer.message);
  if (answer.stop !== 'refusal' && answer.message.text.trim() === '') return retryEmpty(run, state, answer);
  return answered(run, state, answer);
};

const takeToolStep = async (
  run: TurnRun,
  state: TurnState,
  answer: AssistantMessage,
): Promise<TurnEnd | undefined> => {
  const toolCalls = withUnusedIds(run, state, answer.toolCalls);
  const message: AssistantMessage = { ...answer, text: trimAnswer(answer.text), toolCalls };
  await run.journal.step(message);
  run.emit({ type: 'step-end', turn: run.input.turn, text: message.text });
  state.stored.push(message);
  state.messages.push({ ...message, toolCalls: toolCalls.map(withReadableArguments) });
  const isCutOff = message.isPartial === true;
  joinHistory(state, await runCalls(run, toolCalls, { isCutOff }));
  state.emptyAnswers = 0;
  state.cutOffSteps =
    isCutOff && !toolCalls.some((call) => isCompleteObject(call.argumentsText)) ? state.cutOffSteps + 1 : 0;
  if (state.cutOffSteps < maxCutOffSteps) return undefined;
  return endTurn(run, state, 'max_tokens', {
    text:
      `The model reached its output limit ${maxCutOffSteps} times in a row before it had finished a tool call, so I stopped. ` +
      'Ask for a smaller piece of work, or use a model with a larger output limit.',
  });
};

/** Services number their calls anew in every turn or answer, or not at all; a history needs ids that never repeat. */
const withUnusedIds = (run: TurnRun, state: TurnState, calls: readonly ToolCall[]): readonly ToolCall[] => {
  const used = new Set<ToolCallId>(
    state.messages
      .flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
      .map(({ id }) => id),
  );
  return calls.map((call) => {
    const id = acceptableId.test(call.id) && !used.has(call.id) ? call.id : run.ids.next('tool-call');
    used.add(id);
    return { ...call, id };
  });
};

const retryEmpty = (run: TurnRun, state: TurnState, answer: Answered): TurnEnd | undefined => {
  if (answer.isShown) run.emit({ type: 'text-reset', turn: run.input.turn });
  state.emptyAnswers += 1;
  run.logger.warn({ turn: run.input.turn, count: state.emptyAnswers }, 'model gave an empty answer');
  if (state.emptyAnswers < maxEmptyAnswers) return undefined;
  const text =
    'The model gave no answer, even after several tries. Please send your message again or put it differently.';
  const error = new ProviderError({
    code: 'empty-answer',
    message: `the model answered ${maxEmptyAnswers} times without any text`,
    retry: never,
    userText: text,
  });
  return endTurn(run, state, 'error', { text, error });
};

const cutOffNote =
  '_(The answer stops here because the model reached its output limit. Write “continue” for the rest.)_';
const filteredNote = '_(The answer stops here because the filter of the model service ended it.)_';

const answered = (run: TurnRun, state: TurnState, { stop, message }: Answered): TurnEnd => {
  const text = trimAnswer(message.text);
  const kept: AssistantMessage = { ...message, text };
  if (stop === 'max-tokens')
    return endTurn(run, state, 'max_tokens', {
      text: `${text}\n\n${cutOffNote}`,
      message: { ...kept, isPartial: true },
    });
  if (stop !== 'refusal') return endTurn(run, state, 'end_turn', { text, message: kept });
  if (text === '') return endTurn(run, state, 'refusal', { text: 'The model declined to answer this.' });
  const note = message.isPartial === true ? `\n\n${filteredNote}` : '';
  return endTurn(run, state, 'refusal', { text: `${text}${note}`, message: kept });
};

const partialMessage = (
  partialText: string,
): { readonly message?: AssistantMessage; readonly text: string } => {
  const text = trimAnswer(partialText);
  return text === ''
    ? { text }
    : { text, message: { role: 'assistant', text, toolCalls: [], isPartial: true } };
};

const cancelled = (run: TurnRun, state: TurnState, partialText: string): TurnEnd =>
  endTurn(run, state, 'cancelled', partialMessage(partialText));

/** A turn that was ended because it stood still was not cancelled by anybody. */
const inactive = (run: TurnRun, state: TurnState, rest: TurnRest, { message }: TurnInactive): TurnEnd => {
  run.logger.warn({ turn: run.input.turn, problem: message }, 'turn stood still');
  return endTurn(run, state, 'error', {
    ...rest,
    text: rest.text === '' ? message : `${rest.text}\n\n${message}`,
  });
};

const failed = (
  run: TurnRun,
  state: TurnState,
  { error, partialText }: Extract<ModelAnswer, { kind: 'failed' }>,
): TurnEnd => {
  run.logger.warn({ turn: run.input.turn, code: error.code, error }, 'model call failed');
  const sentence = error.userText ?? 'The model could not answer. Please try again.';
  const partial = partialMessage(partialText);
  const text = partial.text === '' ? sentence : `${partial.text}\n\n${sentence}`;
  return endTurn(run, state, 'error', { ...partial, text, error });
};

type TurnRest = Pick<TurnEnd, 'text' | 'message' | 'error'>;

const endTurn = (run: TurnRun, state: TurnState, reason: StopReason, rest: TurnRest): TurnEnd => {
  const cause: unknown = run.signal.reason;
  if (reason === 'cancelled' && cause instanceof TurnInactive) return inactive(run, state, rest, cause);
  const { usage, steps } = state;
  return { type: 'turn-end', turn: run.input.turn, reason, usage, steps, ...rest };
};
