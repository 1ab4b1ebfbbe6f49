import type { ModelMessage, ModelRequest } from '../core/provider.js';
import { boundResults } from './bound-results.js';
import { estimateFrame, estimateMessages } from './estimate.js';
import { fitHistory } from './fit-history.js';
import { withRecentImages } from './recent-images.js';
import type { TurnRun } from './turn-run.js';
import type { TurnState } from './turn-state.js';

/** Tokens kept free for the answer, at most; an eighth of a small window. */
const answerTokens = 8192;
/** Of the room for messages, the part that tool results may take together. */
const resultShare = 1 / 2;
/** Where the frame alone fills the window, the service has to say so. */
const minRoom = 250;

const nudge: ModelMessage = {
  role: 'user',
  text: '(Your last answer was empty. Answer now, in words, for the user to read.)',
};

/** The largest request, in the model's tokens. */
export const windowOf = ({ input, memory }: TurnRun, { limitTokens }: TurnState): number =>
  Math.min(memory.gauge.limit(input.model, input.contextTokens), limitTokens);

/** Estimated tokens that the messages of a request may take. */
export const roomOf = (run: TurnRun, state: TurnState): number => {
  const { input, memory, tools } = run;
  const window = windowOf(run, state);
  const reserve = Math.min(answerTokens, window / 8);
  const frame = estimateFrame({ system: input.system, tools: tools.specs });
  return Math.max(minRoom, (window - reserve) / memory.gauge.ratio(input.model) - frame);
};

/** The history with as much of its pictures and tool results as a request has. */
export const withBounds = (messages: readonly ModelMessage[], room: number): readonly ModelMessage[] =>
  boundResults(withRecentImages(messages), room * resultShare);

export const toRequest = (run: TurnRun, state: TurnState): ModelRequest => {
  const { input, tools } = run;
  const room = roomOf(run, state);
  const fitting = fitHistory(withBounds(state.messages, room), room);
  // The nudge is for this call alone and never joins the history.
  const messages = state.emptyAnswers > 0 ? [...fitting, nudge] : fitting;
  return { model: input.model, messages, system: input.system, tools: tools.specs };
};

export const estimateRequest = (request: ModelRequest): number =>
  estimateFrame(request) + estimateMessages(request.messages);
