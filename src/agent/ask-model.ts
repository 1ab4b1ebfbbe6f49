import { compactIfFull } from './compaction.js';
import { callModel, type ModelAnswer } from './model-call.js';
import { estimateRequest, toRequest, windowOf } from './request.js';
import type { TurnRun } from './turn-run.js';
import type { TurnState } from './turn-state.js';

/** Tries with less, after a request was too long. */
const maxShrinks = 3;
/** How much of a refused request the next one may have: three tries reach a window a tenth of what was thought. */
const shrinkShare = 0.4;

/**
 * One answer of the model. A history that fills the window is compacted first; a request that the service refuses as too
 * long is made shorter and sent again, as long as it does become shorter, and not often.
 */
export const askModel = async (run: TurnRun, state: TurnState): Promise<ModelAnswer> => {
  const { gauge } = run.memory;
  const { model } = run.input;
  let refused: { readonly answer: ModelAnswer; readonly estimated: number } | undefined;
  for (let shrinks = 0; ; shrinks += 1) {
    await compactIfFull(run, state);
    if (run.signal.aborted) return { kind: 'cancelled', partialText: '' };
    const request = toRequest(run, state);
    const estimated = estimateRequest(request);
    if (refused !== undefined && estimated >= refused.estimated) return refused.answer;
    const answer = await callModel(run, request);
    if (answer.kind === 'answered') {
      gauge.counted(answer.standIn ?? model, { estimated, reported: answer.usage.inputTokens });
      if (refused !== undefined) gauge.refused(model, refused.estimated * gauge.ratio(model));
      return answer;
    }
    if (answer.kind !== 'failed' || answer.error.code !== 'context-too-long') return answer;
    if (shrinks === maxShrinks) return answer;
    if (answer.partialText !== '') run.emit({ type: 'text-reset', turn: run.input.turn });
    run.logger.warn({ turn: run.input.turn, estimated, error: answer.error }, 'request was too long');
    refused = { answer, estimated };
    state.limitTokens = shrinkShare * Math.min(windowOf(run, state), estimated * gauge.ratio(model));
  }
};
