/** What permission says about a call, and what is asked of a person where it says so. */
import type { ApprovalAnswer, ApprovalRequest, GrantTopic } from '../core/approval.js';
import { isAbort, ToolError } from '../core/errors.js';
import { type Category, decidePermission, raiseCategory } from '../core/permission.js';
import type { ToolCall } from '../core/provider.js';
import type { Tool, ToolContext } from '../core/tool.js';
import { untilAbort } from './abort.js';
import type { TurnRun } from './turn-run.js';

/** More is nothing that a person reads before they press a button. */
const maxDetailsLength = 20_000;

/** A call that may run, perhaps once a person allows it; or the words by which it is refused. */
export type CallPlan = RunPlan | AskPlan | RefusePlan;

interface CheckedCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly category: Category;
}
export interface RunPlan extends CheckedCall {
  readonly kind: 'run';
}
interface AskPlan extends CheckedCall {
  readonly kind: 'ask';
}
interface RefusePlan {
  readonly kind: 'refuse';
  readonly text: string;
}

const refuse = (text: string): RefusePlan => ({ kind: 'refuse', text });

export const contextOf = (
  { signal, input, logger, clock, services }: TurnRun,
  call: ToolCall,
): ToolContext => ({
  signal,
  caller: input.caller,
  session: input.session,
  turn: input.turn,
  call: call.id,
  correlation: input.correlation,
  logger: logger.child({ tool: call.name, call: call.id }),
  clock,
  services,
});

const everyCall = ({ title }: Tool): GrantTopic => ({ keys: ['*'], label: `every call of “${title}”` });

const grantOf = (tool: Tool, input: unknown, context: ToolContext): GrantTopic | undefined =>
  tool.grantOf === undefined ? everyCall(tool) : tool.grantOf(input, context);

/** Whether the call runs now, asks, or does not run. Without effect; may throw what the tool throws. */
export const permitCall = (run: TurnRun, call: ToolCall, tool: Tool, input: unknown): CallPlan => {
  const context = contextOf(run, call);
  const category = raiseCategory(tool.category, tool.categoryOf?.(input, context) ?? tool.category);
  const forbidden = tool.forbids?.(input, context);
  const { canAsk, ...policy } = run.permissions.policy(run.input.caller);
  const verdict = decidePermission({
    policy,
    category,
    neverAsks: tool.neverAsks === true,
    isForbidden: forbidden !== undefined,
    isGranted: isGranted(run, tool, input, category, context),
    canAsk,
  });
  if (verdict.decision === 'allow') return { kind: 'run', tool, input, category };
  if (verdict.decision === 'confirm') return { kind: 'ask', tool, input, category };
  const refusals: Readonly<Record<typeof verdict.because, string>> = {
    floor: `This is never done, whoever asks for it: ${forbidden ?? ''} It was not run. Do not try to reach the same in another way; tell the user.`,
    level: `Calls of category ${category} are not allowed here (permission level ${policy.level}). It was not run. Tell the user what you would have done.`,
    'nobody-to-ask': `This call (category ${category}) needs a person's permission, and nobody is here to be asked. It was not run. Do what you can without it, and say in your answer what was not done.${jobAdvice(tool, input, context)}`,
  };
  return refuse(refusals[verdict.because]);
};

/** How an owner lets a scheduled job do it next time. */
const jobAdvice = (tool: Tool, input: unknown, context: ToolContext): string => {
  const keys = grantOf(tool, input, context)?.keys;
  return keys === undefined
    ? ''
    : ` In a scheduled job, say too that an owner can allow it with \`/permissions grant JOB ${tool.name} ${keys.join(' ')}\`.`;
};

const isGranted = (
  run: TurnRun,
  tool: Tool,
  input: unknown,
  category: Category,
  context: ToolContext,
): boolean => {
  const grant = grantOf(tool, input, context);
  return grant !== undefined && run.permissions.isGranted({ tool: tool.name, category, grant }, run.input);
};

/**
 * Asks a person, unless calls like this one were allowed meanwhile. Rejects with the signal's reason. `summary`: the
 * call in one line, free of secrets.
 */
export const askFor = async (
  run: TurnRun,
  call: ToolCall,
  asked: AskPlan,
  summary: string,
): Promise<RunPlan | RefusePlan> => {
  const { tool, input, category } = asked;
  const context = contextOf(run, call);
  const allowed: RunPlan = { ...asked, kind: 'run' };
  if (isGranted(run, tool, input, category, context)) return allowed;
  run.activity.touch();
  try {
    const request = await toRequest(run, asked, context, summary);
    const scope = { ...run.input, call: call.id };
    const work = run.permissions.ask(request, scope, { signal: run.signal });
    const answer = await untilAbort(work, run.signal);
    run.logger.info({ tool: tool.name, call: call.id, outcome: answer.outcome }, 'permission was asked for');
    return answer.outcome === 'allowed' ? allowed : refuse(toRefusal(answer));
  } catch (error) {
    if (isAbort(error, run.signal) || run.signal.aborted) throw error;
    if (error instanceof ToolError) return refuse(error.message);
    run.logger.error({ tool: tool.name, call: call.id, error }, 'permission could not be asked for');
    return refuse('Permission for this call could not be asked for. It was not run. Tell the user.');
  } finally {
    run.activity.touch();
  }
};

const toRequest = async (
  run: TurnRun,
  { tool, input, category }: AskPlan,
  context: ToolContext,
  summary: string,
): Promise<ApprovalRequest> => {
  const shown = tool.present === undefined ? describeArguments(input) : await tool.present(input, context);
  const grant = grantOf(tool, input, context);
  const risk = tool.riskOf?.(input, context);
  const whole = maskSecrets(run.redact(shown));
  const left = whole.length - maxDetailsLength;
  return {
    tool: tool.name,
    title: tool.title,
    category,
    summary: maskSecrets(summary),
    details: left > 0 ? `${whole.slice(0, maxDetailsLength)}\n[… ${left} more characters]` : whole,
    ...(grant !== undefined && {
      grant: { keys: grant.keys, label: maskSecrets(run.redact(grant.label)) },
    }),
    ...(risk !== undefined && { risk }),
  };
};

const secretName = /pass(?:word|wd|phrase)?$|secret|token$|api[-_]?key|authorization|credential/iu;
const stars = '•••';

const describeArguments = (input: unknown): string => {
  if (typeof input !== 'object' || input === null) return '';
  return Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      if (secretName.test(name)) return `${name}: ${stars}`;
      return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join('\n');
};

/** Beside the configured ones, which are known: what looks like one. */
const secretShapes: readonly RegExp[] = [
  /\b((?:authorization|x-api-key|api-key)\s*:\s*(?:bearer\s+|basic\s+|token\s+)?)[^\s'"]{4,}/giu,
  /((?:--?|\b)[\w-]*(?:password|passwd|passphrase|secret|token|api[-_]?key)(?:\s*[=:]\s*|\s+(?=['"])))(?!•)(?:'[^']*'|"[^"]*"|[^\s'"&;|]+)/giu,
  /(\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gu,
  /\b()(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16})\b/gu,
];

/** A person who allows a call has no use for the secrets in it, and a chat is no place for them. */
export const maskSecrets = (text: string): string =>
  secretShapes.reduce((masked, shape) => masked.replace(shape, `$1${stars}`), text);

const toRefusal = (answer: Exclude<ApprovalAnswer, { readonly outcome: 'allowed' }>): string => {
  switch (answer.outcome) {
    case 'denied': {
      const why = answer.reason === undefined ? '' : ` Their reason: ${answer.reason}`;
      return `The user denied this call, so it was not run.${why} Do not repeat it or try to reach the same in another way without asking them.`;
    }
    case 'timed-out':
      return 'The user was asked for permission and did not answer in time: denied (no answer), so it was not run. They may not be there: go on without it, and say what was not done.';
    case 'cancelled':
      return 'The request for permission was cancelled before the user answered, so the call was not run.';
    case 'unasked':
      return `Permission for this call could not be asked for: ${answer.problem} It was not run. Go on without it, and say what was not done.`;
  }
};
