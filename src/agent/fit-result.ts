import type { ToolCall } from '../core/provider.js';
import { estimateText } from './estimate.js';
import { cutMiddle } from './short-text.js';
import type { TurnRun } from './turn-run.js';

/**
 * Characters of a result that reach the model whole, as in the original, and a little more: tools that page their results
 * by the same number add a line that says so.
 */
const maxResultLength = 100_500;
/** No single result takes more of the window. */
const maxShare = 1 / 4;
const maxPreviewLength = 20_000;
const maxPreviewShare = 1 / 8;

/**
 * A result as it joins the history: whole, or head and tail with a note of how much was left out and where all of it is.
 * What cannot be kept is only cut. Never throws.
 */
export const fitResult = async (run: TurnRun, call: ToolCall, text: string): Promise<string> => {
  const window = run.input.contextTokens;
  const tokens = estimateText(text);
  if (text.length <= maxResultLength && tokens <= window * maxShare) return text;
  const fitting = Math.floor((text.length * window * maxPreviewShare) / tokens);
  const preview = cutMiddle(text, Math.min(maxPreviewLength, fitting));
  const note = await keep(run, call, text);
  return `[This result has ${text.length} characters, too many to show.${note} Its beginning and its end:]\n${preview}`;
};

const keep = async (
  { spill, input, logger, tools }: TurnRun,
  call: ToolCall,
  text: string,
): Promise<string> => {
  if (spill === undefined) return '';
  try {
    const path = await spill.keep(text, `${input.turn}-${call.id}-${call.name}`);
    const hints = Object.entries(spill.hints).filter(([tool]) => tools.find(tool) !== undefined);
    return [` All of it is in ${path}.`, ...hints.map(([, hint]) => hint)].join(' ');
  } catch (error) {
    logger.error({ call: call.id, error }, 'long tool result could not be kept');
    return '';
  }
};
