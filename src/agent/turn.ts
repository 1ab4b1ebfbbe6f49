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
import type { AssistantMessage, ModelMessage, ModelRequest, ToolCall, Usage } from '../core/provider.js';
import type { StopReason, TurnEnd } from '../core/turn.js';
import { boundResults } from './bound-results.js';
import { estimateFrame } from './estimate.js';
import { fitHistory } from './fit-history.js';
import { callModel, type ModelAnswer } from './model-call.js';
import { settleOpenCalls } from './open-calls.js';
import { isCompleteObject } from './parse-arguments.js';
import { repairHistory, withReadableArguments } from './repair-history.js';
import { runCalls } from './run-calls.js';
import { trimAnswer } from './short-text.js';
import type { TurnRun } from './turn-run.js';

/** Two more tries: an empty answer is mostly a hiccup, but a model can be stuck in it. */
const maxEmptyAnswers = 3;
/** A model whose calls are cut off at its output limit again and again will not learn. */
const maxCutOffSteps = 3;
/** Tokens kept free for the answer, at most; an eighth of a small window. */
const answerTokens = 8192;
/** Of what is left for messages, the part that tool results may take together. */
const resultShare = 1 / 2;
const acceptableId = /^[\w-]{1,40}$/u;

interface TurnState {
  messages: ModelMessage[];
  usage: Usage;
  steps: number;
  emptyAnswers: number;
  cutOffSteps: number;
}

type Answered = Extract<ModelAnswer, { kind: 'answered' }>;

/** Runs a turn to its end. Tells everything but the start and the end through `run.emit`. Never throws. */
export const runTurn = async (run: TurnRun): Promise<TurnEnd> => {
  const state: TurnState = {
    messages: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    steps: 0,
    emptyAnswers: 0,
    cutOffSteps: 0,
  };
  try {
    const results = await settleOpenCalls(run);
    state.messages = [...repairHistory([...run.input.history, ...results])];
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
    state.messages.push(...(await run.journal.takeSteering()));
    const answer = await callModel(run, toRequest(run, state));
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

/** Undefined: the turn goes on. */
const useAnswer = async (run: TurnRun, state: TurnState, answer: Answered): Promise<TurnEnd | undefined> => {
  if (run.signal.aborted) return cancelled(run, state, answer.message.text);
  if (answer.message.toolCalls.length > 0) return takeToolStep(run, state, answer.message);
  if (answer.stop !== 'refusal' && answer.message.text.trim() === '') return retryEmpty(run, state, answer);
  return answered(run, state, answer);
};

const nudge: ModelMessage = {
  role: 'user',
  text: '(Your last answer was empty. Answer now, in words, for the user to read.)',
};

const toRequest = ({ input, tools }: TurnRun, state: TurnState): ModelRequest => {
  const frame = { system: input.system, tools: tools.specs };
  const reserve = Math.min(answerTokens, input.contextTokens / 8);
  const room = input.contextTokens - reserve - estimateFrame(frame);
  const fitting = fitHistory(boundResults(state.messages, room * resultShare), room);
  // The nudge is for this call alone and never joins the history.
  const messages = state.emptyAnswers > 0 ? [...fitting, nudge] : fitting;
  return { model: input.model, messages, ...frame };
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
  state.messages.push({ ...message, toolCalls: toolCalls.map(withReadableArguments) });
  const isCutOff = message.isPartial === true;
  state.messages.push(...(await runCalls(run, toolCalls, { isCutOff })));
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

const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

const endTurn = (
  { input }: TurnRun,
  { usage, steps }: TurnState,
  reason: StopReason,
  rest: Pick<TurnEnd, 'text' | 'message' | 'error'>,
): TurnEnd => ({ type: 'turn-end', turn: input.turn, reason, usage, steps, ...rest });
