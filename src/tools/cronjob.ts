import * as z from 'zod';
import { silencePolicies } from '../core/job.js';
import type { JobAnswer, JobRequest, ShownJob } from '../core/job-service.js';
import { toNextWords, toRunWords } from '../core/job-words.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const input = z.object({
  action: z
    .enum(['create', 'list', 'update', 'pause', 'resume', 'run', 'remove'])
    .describe('run begins it now, beside its schedule; remove is for good.'),
  job: z.string().optional().describe('Id or unique name of the job; for all but create and list.'),
  name: z.string().optional().describe('A short name.'),
  schedule: z
    .string()
    .optional()
    .describe(
      '"every weekday at 9am", "0 9 * * 1-5", "every 30m", "in 2h" or "30m" (once), "2026-03-01T09:00".',
    ),
  prompt: z
    .string()
    .optional()
    .describe('What is to be done then, complete in itself: the run knows nothing of this chat.'),
  deliver: z
    .string()
    .optional()
    .describe(
      'Where the result goes: origin (this chat, the default), local, a platform, platform:chat; comma list.',
    ),
  timezone: z.string().optional().describe('IANA name, e.g. Europe/Berlin. Default: the configured zone.'),
  script: z
    .string()
    .optional()
    .describe('A file of the scripts folder to run before; its output is put before the prompt.'),
  no_agent: z
    .boolean()
    .optional()
    .describe('True: the output of the script is delivered as it is, without a model.'),
  repeat: z.int().min(0).optional().describe('Runs until it is over; 0: for ever.'),
  workdir: z
    .string()
    .optional()
    .describe('Folder in which its file tools and its script work and whose AGENTS.md it follows.'),
  max_iterations: z.int().min(0).optional().describe('Most model calls of a run; 0: the configured limit.'),
  catch_up: z.boolean().optional().describe('Whether a run that was missed by much is made up for.'),
  silence: z
    .enum(silencePolicies)
    .optional()
    .describe(
      'marker (default): an answer of [SILENT] is not delivered; never: all are; always: only failures are.',
    ),
  skills: z.array(z.string()).optional().describe('Names of skills that the run is to have.'),
});

type CronjobInput = z.infer<typeof input>;

const toRequest = ({
  action: _action,
  job: _job,
  no_agent: isScriptOnly,
  max_iterations: maxSteps,
  catch_up: isCatchingUp,
  ...rest
}: CronjobInput): JobRequest => ({
  ...rest,
  isScriptOnly,
  maxSteps,
  isCatchingUp,
});

const describe = (job: ShownJob): string => {
  const { id, name, words, zone, isEnabled, deliver, nextRuns, lastRun } = job;
  const state = isEnabled ? `next runs: ${nextRuns.join(', ')} (${zone})` : toNextWords(job);
  const last = lastRun === undefined ? '' : `; last run: ${toRunWords(lastRun)}`;
  return `${name} (${id}): ${words}, to ${deliver}; ${state}${last}`;
};

const report = (answer: JobAnswer, done: string): ToolOutcome =>
  answer.ok
    ? { text: [`${done}: ${describe(answer.job)}`, ...answer.notes].join('\n'), isError: false }
    : { text: `Nothing was done: ${answer.problem}`, isError: true };

const done = {
  update: 'Changed',
  pause: 'Paused',
  resume: 'Resumed',
  run: 'Started',
  remove: 'Removed',
} as const;

const execute = async (given: CronjobInput, { services, caller }: ToolContext): Promise<ToolOutcome> => {
  const jobs = services.jobs.as(caller);
  const { action, job } = given;
  if (action === 'list') {
    const all = await jobs.list();
    return { text: all.length === 0 ? 'There are no jobs.' : all.map(describe).join('\n'), isError: false };
  }
  if (action === 'create') return report(await jobs.create(toRequest(given)), 'Created');
  if (job === undefined)
    return {
      text: 'Nothing was done: `job` is missing. Give the id or the name; action list shows both.',
      isError: true,
    };
  if (action === 'update') return report(await jobs.update(job, toRequest(given)), done.update);
  return report(await jobs.act(job, action), done[action]);
};

export const cronjob: Tool<CronjobInput> = {
  name: 'cronjob',
  title: 'Scheduled jobs',
  description:
    'Makes, lists and changes jobs that run by a schedule, each as a fresh conversation whose final answer is delivered. ' +
    'Returns how the schedule was understood and the next runs: tell the user both.',
  category: 'write',
  input,
  mode: 'exclusive',
  categoryOf({ action, deliver, workdir }, { services, caller }) {
    if (action !== 'create' && action !== 'update') return 'write';
    // Its runs would read there without asking anybody.
    if (workdir !== undefined && workdir !== '') return 'system';
    if (deliver === undefined) return 'write';
    const check = services.messaging.check(deliver, caller);
    return !check.ok || check.isOwnChatOrHome ? 'write' : 'system';
  },
  summarise: ({ action, name, job, schedule }) => [action, name ?? job ?? schedule ?? ''].join(' ').trim(),
  execute,
};
