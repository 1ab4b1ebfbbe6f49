import type { ModelMessage, Usage } from '../core/provider.js';

/** A turn as far as it has come. */
export interface TurnState {
  /** What the store has of the session, message by message as it is there. */
  stored: ModelMessage[];
  /** The same, as every service accepts it. */
  messages: ModelMessage[];
  usage: Usage;
  steps: number;
  emptyAnswers: number;
  cutOffSteps: number;
  /** Most tokens of a request, since the service refused more; infinite before. */
  limitTokens: number;
  /** How often the session may still be compacted; none once it was of no use. */
  compactionsLeft: number;
}

/** A second one where the service turns out to take less than was thought; more would be a circle. */
const maxCompactions = 2;

export const newTurnState = (): TurnState => ({
  stored: [],
  messages: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 0,
  emptyAnswers: 0,
  cutOffSteps: 0,
  limitTokens: Number.POSITIVE_INFINITY,
  compactionsLeft: maxCompactions,
});

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});
