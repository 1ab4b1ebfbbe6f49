import * as z from 'zod';
import { isAbort, ToolError } from '../core/errors.js';
import type { ToolCall, ToolMessage } from '../core/provider.js';
import type { ToolOutcome } from '../core/tool.js';
import { untilAbort } from './abort.js';
import { TurnInactive } from './activity-watch.js';
import { fitResult } from './fit-result.js';
import { isCompleteObject, parseArguments } from './parse-arguments.js';
import { askFor, type CallPlan, contextOf, permitCall, type RunPlan } from './permit-call.js';
import { oneLine } from './short-text.js';
import type { TurnRun } from './turn-run.js';

const maxSummaryLength = 80;
/** The longest name that the model services accept. */
const maxNameLength = 64;

/**
 * A call that was looked at but not run: parsed, validated, permitted, or refused with a text for the model.
 * Tools see validated input only.
 */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly summary: string;
  readonly plan: CallPlan;
}

export interface PrepareOptions {
  /** The model's answer ended at its output limit: only calls that are complete beyond doubt may run. */
  readonly isCutOff: boolean;
}

/** Decides what is to become of a call. Has no effect and never throws. */
export const prepareCall = (run: TurnRun, call: ToolCall, { isCutOff }: PrepareOptions): PreparedCall => {
  const refuse = (text: string): PreparedCall => ({ call, summary: '', plan: { kind: 'refuse', text } });
  const tool = run.tools.find(call.name);
  if (tool === undefined) return refuse(unknownTool(run, call.name));
  if (isCutOff && !isCompleteObject(call.argumentsText)) return refuse(cutOffText);
  const parsed = parseArguments(call.argumentsText);
  if (!parsed.ok)
    return refuse(`${parsed.problem} Nothing was done. Call ${tool.name} again with valid JSON.`);
  const checked = tool.input.safeParse(parsed.value);
  if (!checked.success)
    return refuse(
      `The arguments do not fit ${tool.name}; nothing was done.\n${z.prettifyError(checked.error)}`,
    );
  try {
    const plan = permitCall(run, call, tool, checked.data);
    const summary = oneLine(run.redact(tool.summarise?.(checked.data) ?? ''), maxSummaryLength);
    return { call, summary: plan.kind === 'refuse' ? '' : summary, plan };
  } catch (error) {
    run.logger.error({ tool: tool.name, error }, 'tool could not be prepared');
    return refuse(`The tool ${tool.name} failed: ${messageOf(error)}`);
  }
};

const cutOffText =
  'Your answer reached its output limit inside this call, so its arguments are incomplete and it was not run. ' +
  'Call again with shorter arguments, or split the work into several calls.';

const unknownTool = ({ tools }: TurnRun, called: string): string => {
  const names = tools.specs.map((spec) => spec.name).join(', ');
  const name = oneLine(called, maxNameLength);
  const available = `Available: ${names === '' ? 'none' : names}.`;
  switch (tools.absence(called)) {
    case 'off':
      return `The tool ${name} is switched off here, so nothing was done. Do it another way, or tell the user that the operator can switch it on. ${available}`;
    case 'gone':
      return `The tool ${name} is no longer available, so nothing was done. Do not call it again. ${available}`;
    case 'unknown':
      return `There is no tool named ${name}. ${available}`;
  }
};

/**
 * Runs or refuses a call, after a person was asked if need be, and tells of it. Rejects only if the journal does; what a
 * tool throws becomes its result.
 */
export const runCall = async (run: TurnRun, prepared: PreparedCall): Promise<ToolMessage> => {
  const { call, summary } = prepared;
  if (run.signal.aborted) return toMessage(run, call, stopped(run, 'before it ran.'));
  const plan = await settlePlan(run, prepared);
  if (plan === undefined) return toMessage(run, call, stopped(run, 'before it ran.'));
  if (plan.kind === 'run') await run.journal.callBegun(call, plan.category);
  const shown = { turn: run.input.turn, call: call.id, name: oneLine(call.name, maxNameLength), summary };
  const title = plan.kind === 'run' ? plan.tool.title : shown.name;
  run.activity.callBegun(call.id, `“${title}”${summary === '' ? '' : ` (${summary})`}`);
  run.emit({ type: 'tool-start', ...shown });
  const startedAt = run.clock.now();
  const outcome = plan.kind === 'run' ? await execute(run, call, plan) : { text: plan.text, isError: true };
  run.activity.callEnded(call.id);
  const fields = {
    tool: shown.name,
    call: call.id,
    isRefused: plan.kind === 'refuse',
    isError: outcome.isError,
    durationMs: run.clock.now() - startedAt,
  };
  run.logger.info(fields, 'tool call ended');
  run.emit({ type: 'tool-end', ...shown, isError: outcome.isError });
  return toMessage(run, call, outcome);
};

type SettledPlan = Exclude<CallPlan, { readonly kind: 'ask' }>;

/** Undefined: the turn was stopped while a person was asked. */
const settlePlan = async (
  run: TurnRun,
  { call, plan, summary }: PreparedCall,
): Promise<SettledPlan | undefined> => {
  if (plan.kind !== 'ask') return plan;
  try {
    return await askFor(run, call, plan, summary);
  } catch (error) {
    if (run.signal.aborted) return undefined;
    throw error;
  }
};

const stopped = ({ signal }: TurnRun, when: string): ToolOutcome => {
  const cause: unknown = signal.reason;
  const by = cause instanceof TurnInactive ? 'because nothing happened any more' : 'by the user';
  return { text: `Stopped ${by} ${when}`, isError: true };
};

const execute = async (run: TurnRun, call: ToolCall, { tool, input }: RunPlan): Promise<ToolOutcome> => {
  try {
    // A tool may throw before it gives a promise.
    const work = Promise.resolve().then(() => tool.execute(input, contextOf(run, call)));
    return await untilAbort(work, run.signal);
  } catch (error) {
    if (isAbort(error, run.signal) || run.signal.aborted)
      return stopped(run, 'while it ran. Whether it had an effect is unknown.');
    if (error instanceof ToolError) return { text: error.message, isError: true };
    run.logger.error({ tool: tool.name, call: call.id, error }, 'tool failed unexpectedly');
    return {
      text: `The tool failed unexpectedly: ${messageOf(error)}\nDo it another way, or tell the user what did not work.`,
      isError: true,
    };
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toMessage = async (
  run: TurnRun,
  call: ToolCall,
  { text, isError, images = [] }: ToolOutcome,
): Promise<ToolMessage> => ({
  role: 'tool',
  call: call.id,
  text: await fitResult(run, call, run.redact(text)),
  isError,
  ...(images.length > 0 && { images }),
});
