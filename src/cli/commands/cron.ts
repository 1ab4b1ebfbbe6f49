import { type JobRun, silencePolicies } from '../../core/job.js';
import type { JobAction, JobAnswer, JobRequest, JobService, ShownJob } from '../../core/job-service.js';
import { toNextWords, toRunWords } from '../../core/job-words.js';
import { ask } from '../ask.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { formatJob, formatJobs, formatRuns } from '../format-jobs.js';
import { parseOptions, refuseWords } from '../options.js';
import { createPaint } from '../paint.js';
import { tell } from '../tell.js';

const role = 'hermes cron';

interface Answer {
  readonly job: ShownJob;
  readonly notes: readonly string[];
}

const accepted = (answer: JobAnswer): Answer => {
  if (!answer.ok) throw new CommandFailure(answer.problem);
  return answer;
};

const writeJson = (value: unknown, { stdout }: Edge): void =>
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const resultOf = ({ lastRun }: ShownJob): string => (lastRun === undefined ? 'never' : toRunWords(lastRun));

const write = ({ job, notes }: Answer, isJson: boolean, edge: Edge): ExitCode => {
  for (const note of notes) tell(edge.stderr, `${note}\n`);
  if (isJson) writeJson(job, edge);
  else edge.stdout.write(formatJob(job, createPaint(edge.stdout, edge.environment)));
  return 0;
};

const askJobs = (path: string, body: unknown, alone: (jobs: JobService) => Promise<JobAnswer>, edge: Edge) =>
  ask<Answer>(
    {
      method: 'POST',
      path,
      body,
      // Where a result goes is checked with the platforms.
      isSending: true,
      alone: async (services) => accepted(await alone(services.jobs)),
    },
    role,
    edge,
  );

const pathOf = (name: string): string => `/api/jobs/${encodeURIComponent(name)}`;

const fetchList = (edge: Edge) =>
  ask<{ readonly jobs: readonly ShownJob[] }>(
    { method: 'GET', path: '/api/jobs', alone: async ({ jobs }) => ({ jobs: await jobs.list() }) },
    role,
    edge,
  );

const list = async (isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { jobs } = await fetchList(edge);
  if (isJson) writeJson({ jobs }, edge);
  else if (jobs.length === 0)
    edge.stderr.write('There are no jobs. `hermes cron create SCHEDULE PROMPT` makes one.\n');
  else if (edge.stdout.isTerminal)
    edge.stdout.write(formatJobs(jobs, createPaint(edge.stdout, edge.environment)));
  else
    for (const job of jobs)
      edge.stdout.write(
        `${[job.id, toNextWords(job), job.words, job.deliver, resultOf(job), job.name].join('\t')}\n`,
      );
  return 0;
};

const runs = async (name: string | undefined, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const query = name === undefined ? '' : `&job=${encodeURIComponent(name)}`;
  const found = await ask<{ readonly runs: readonly JobRun[] }>(
    {
      method: 'GET',
      path: `/api/runs?limit=50${query}`,
      alone: async ({ jobs }) => ({ runs: await jobs.runs(name, 50) }),
    },
    role,
    edge,
  );
  if (isJson) writeJson(found, edge);
  else if (found.runs.length === 0) tell(edge.stderr, 'Nothing ran yet.\n');
  else if (edge.stdout.isTerminal)
    edge.stdout.write(formatRuns(found.runs, createPaint(edge.stdout, edge.environment)));
  else
    for (const { id, jobName, startedAt, outcome, state, delivery, error = '' } of found.runs)
      edge.stdout.write(
        `${[id, new Date(startedAt).toISOString(), jobName, outcome ?? state, delivery, error].join('\t')}\n`,
      );
  return 0;
};

const status = async (isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { jobs } = await fetchList(edge);
  const enabled = jobs.filter(({ isEnabled }) => isEnabled);
  const next = Math.min(...enabled.map(({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY));
  const nextAt = Number.isFinite(next) ? next : undefined;
  if (isJson) writeJson({ jobs: jobs.length, enabled: enabled.length, nextAt }, edge);
  else
    edge.stdout.write(
      `${jobs.length} jobs, ${enabled.length} scheduled${nextAt === undefined ? '' : `, next at ${new Date(nextAt).toISOString()}`}\n`,
    );
  return 0;
};

/** Without a gateway it waits for what it begins; with one the gateway goes on with it. */
const runNow = async (name: string, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const alone = async ({ jobs }: { readonly jobs: JobService }): Promise<Answer> => {
    accepted(await jobs.act(name, 'run'));
    await jobs.idle();
    return accepted(await jobs.find(name));
  };
  const path = `${pathOf(name)}/run`;
  const answer = await ask<Answer>(
    { method: 'POST', path, body: {}, isRunningJobs: true, alone },
    role,
    edge,
  );
  write(answer, isJson, edge);
  const { lastRun } = answer.job;
  const hasFailed = lastRun?.outcome === 'failed' || lastRun?.outcome === 'interrupted';
  return lastRun?.state === 'ended' && hasFailed ? 1 : 0;
};

const tick = async (edge: Edge): Promise<ExitCode> => {
  const alone = async ({ jobs }: { readonly jobs: JobService }) => {
    const begun = await jobs.tick();
    await jobs.idle();
    return { begun };
  };
  const path = '/api/jobs-tick';
  const { begun } = await ask<{ readonly begun: number }>(
    { method: 'POST', path, isRunningJobs: true, alone },
    role,
    edge,
  );
  edge.stdout.write(`${begun} begun\n`);
  return 0;
};

const theOnly = ([name, ...rest]: readonly string[]): string => {
  if (name === undefined) throw new UsageError('NAME is missing: `hermes cron list` shows the ids');
  refuseWords(rest);
  return name;
};

const optionShapes = {
  json: { type: 'boolean' },
  name: { type: 'string' },
  deliver: { type: 'string' },
  skill: { type: 'string', multiple: true },
  script: { type: 'string' },
  timezone: { type: 'string' },
  model: { type: 'string' },
  schedule: { type: 'string' },
  prompt: { type: 'string' },
  workdir: { type: 'string' },
  repeat: { type: 'string' },
  silence: { type: 'string' },
  'max-iterations': { type: 'string' },
  'no-agent': { type: 'boolean' },
  agent: { type: 'boolean' },
  'catch-up': { type: 'boolean' },
  'no-catch-up': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseOptions<typeof optionShapes>>['values'];

const numberOf = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/u.test(text)) throw new UsageError(`--${option} is a whole number, not '${text}'`);
  return Number(text);
};

/** On if the one was written, off if the other was, and as it was if neither. */
const either = (on: boolean | undefined, off: boolean | undefined, option: string): boolean | undefined => {
  if (on === true && off === true) throw new UsageError(`write --${option} or --no-${option}, not both`);
  return on === true ? true : off === true ? false : undefined;
};

const toRequest = (values: Values): JobRequest => {
  const { name, deliver, script, timezone, model, schedule, prompt, workdir, skill: skills } = values;
  const silence = silencePolicies.find((one) => one === values.silence);
  if (values.silence !== undefined && silence === undefined)
    throw new UsageError(`--silence is ${silencePolicies.join(', ')}, not '${values.silence}'`);
  return {
    ...{ name, deliver, script, timezone, model, schedule, prompt, workdir, skills, silence },
    repeat: numberOf(values.repeat, 'repeat'),
    maxSteps: numberOf(values['max-iterations'], 'max-iterations'),
    isScriptOnly: either(values['no-agent'], values.agent, 'agent'),
    isCatchingUp: either(values['catch-up'], values['no-catch-up'], 'catch-up'),
  };
};

const actions: readonly JobAction[] = ['pause', 'resume', 'run', 'remove'];

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, optionShapes);
  const [verb, ...words] = positionals;
  const isJson = values.json === true;
  const options = toRequest(values);
  const action = actions.find((one) => one === verb);
  if (action !== undefined) {
    const name = theOnly(words);
    if (action === 'run') return runNow(name, isJson, edge);
    const path = `${pathOf(name)}/${action}`;
    return write(await askJobs(path, {}, (jobs) => jobs.act(name, action), edge), isJson, edge);
  }
  switch (verb) {
    case 'create': {
      const [schedule, prompt, ...rest] = words;
      refuseWords(rest);
      if (schedule === undefined) throw new UsageError('SCHEDULE is missing, e.g. "every weekday at 9am"');
      const body = { ...options, schedule, ...(prompt !== undefined && { prompt }) };
      return write(await askJobs('/api/jobs', body, (jobs) => jobs.create(body), edge), isJson, edge);
    }
    case 'edit': {
      const name = theOnly(words);
      return write(
        await askJobs(pathOf(name), options, (jobs) => jobs.update(name, options), edge),
        isJson,
        edge,
      );
    }
    case 'show': {
      const name = theOnly(words);
      const alone = async ({ jobs }: { readonly jobs: JobService }) => accepted(await jobs.find(name));
      return write(await ask<Answer>({ method: 'GET', path: pathOf(name), alone }, role, edge), isJson, edge);
    }
    case 'list':
    case 'status':
      refuseWords(words);
      return verb === 'list' ? list(isJson, edge) : status(isJson, edge);
    case 'runs':
      return runs(words.length === 0 ? undefined : theOnly(words), isJson, edge);
    case 'tick':
      refuseWords(words);
      return tick(edge);
    default:
      throw new UsageError(
        'write create, list, show, edit, pause, resume, run, remove, runs, status or tick',
      );
  }
};
