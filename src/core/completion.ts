import type { ModelMessage } from './provider.js';
import type { TurnEnd } from './turn.js';

/** A conversation that the one who asks keeps himself. */
export interface CompletionRequest {
  /** Absent: the gateway's own. */
  readonly model?: string;
  /** Joins the agent's own instructions, behind them. */
  readonly instructions: string;
  /** The conversation so far, ending with what is to be answered. */
  readonly messages: readonly ModelMessage[];
}

/** `text` is to be shown as it comes, secrets masked; `end.text` is the whole of the last step, masked too. */
export type CompletionEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'end'; readonly end: TurnEnd };

/** The agent for programs: nothing is kept, nobody can be asked, so that what would need a yes is denied. */
export interface CompletionService {
  /** Iterates to `end`, also when the signal aborts (reason `cancelled`). Never throws. */
  complete(
    request: CompletionRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<CompletionEvent>;
  /** Names that a request may have, the default first. */
  models(): readonly string[];
}

/** Of a text what is to be said behind what was said of it: notes of ours, or all of it where nothing was streamed. */
export const restOf = (said: string, whole: string): string => {
  const shown = said.trim();
  if (shown === '') return whole;
  if (whole.startsWith(shown)) return whole.slice(shown.length);
  return shown.endsWith(whole) ? '' : `\n\n${whole}`;
};
