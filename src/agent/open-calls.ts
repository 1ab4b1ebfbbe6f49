import type { ToolMessage } from '../core/provider.js';
import type { OpenCall } from '../core/turn.js';
import { parseArguments } from './parse-arguments.js';
import { prepareCall, runCall } from './run-call.js';
import { oneLine } from './short-text.js';
import type { TurnRun } from './turn-run.js';

const maxArgumentsLength = 200;

/**
 * Ends the calls that a crash left open, one after the other. What was not begun runs now; a begun read is repeated;
 * a begun call that may have changed something is not, and the person is told which.
 */
export const settleOpenCalls = async (run: TurnRun): Promise<readonly ToolMessage[]> => {
  const results: ToolMessage[] = [];
  for (const open of run.input.openCalls) {
    const { result, notice } = mayRun(open)
      ? { result: await runCall(run, prepareCall(run, open.call, { isCutOff: false })), notice: undefined }
      : leaveUndone(run, open);
    await run.journal.result(result, notice);
    results.push(result);
  }
  return results;
};

const mayRun = ({ isBegun, category }: OpenCall): boolean => !isBegun || category === 'read';

const leaveUndone = (
  run: TurnRun,
  { call }: OpenCall,
): { readonly result: ToolMessage; readonly notice: string } => {
  const title = run.tools.find(call.name)?.title ?? call.name;
  const shown = oneLine(run.redact(describeArguments(call.argumentsText)), maxArgumentsLength);
  const notice =
    `I was interrupted during “${title}” (${shown}). It may or may not have taken effect, ` +
    'so I did not repeat it. Please check.';
  run.logger.warn({ tool: call.name, call: call.id }, 'begun tool call not repeated after a restart');
  const text =
    'This call was begun before the gateway was restarted. Whether it had an effect is unknown; it was not repeated, ' +
    'and the user was told so. Do not simply repeat it: find out first, or ask.';
  return { result: { role: 'tool', call: call.id, text, isError: true }, notice };
};

/** `path: notes.txt, limit: 3`, for people. */
const describeArguments = (argumentsText: string): string => {
  const parsed = parseArguments(argumentsText);
  if (!parsed.ok) return argumentsText;
  const pairs = Object.entries(parsed.value);
  return pairs
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
};
