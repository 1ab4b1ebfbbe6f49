import type { JobRun } from '../../core/job.js';
import type { JobAction, JobAnswer, JobRequest, JobService, ShownJob } from '../../core/job-service.js';
import { ask } from '../ask.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';
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

const stateOf = ({ isEnabled, nextRuns }: ShownJob): string =>
  isEnabled ? (nextRuns[0] ?? 'over') : 'paused';

const resultOf = ({ lastRun }: ShownJob): string =>
  lastRun === undefined ? 'never ran' : `${lastRun.outcome ?? lastRun.state}, delivery ${lastRun.delivery}`;

const describe = (job: ShownJob): string =>
  [
    `${job.name} (${job.id})`,
    `  schedule  ${job.display} (${job.zone})`,
    `  next      ${job.nextRuns.join(', ') || 'none'}`,
    `  delivers  ${job.deliver}`,
    `  last run  ${resultOf(job)}`,
    '',
  ].join('\n');

const write = ({ job, notes }: Answer, isJson: boolean, edge: Edge): ExitCode => {
  for (const note of notes) tell(edge.stderr, `${note}\n`);
  if (isJson) writeJson(job, edge);
  else edge.stdout.write(describe(job));
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
  else
    for (const job of jobs)
      edge.stdout.write(
        `${[job.id, stateOf(job), job.display, job.deliver, resultOf(job), job.name].join('\t')}\n`,
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

const tick = async (edge: Edge): Promise<ExitCode> => {
  const { begun } = await ask<{ readonly begun: number }>(
    {
      method: 'POST',
      path: '/api/jobs-tick',
      alone: () =>
        Promise.reject(
          new CommandFailure('No gateway runs that could run what is due: start `hermes gateway`.'),
        ),
    },
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

const actions: readonly JobAction[] = ['pause', 'resume', 'run', 'remove'];

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean' },
    name: { type: 'string' },
    deliver: { type: 'string' },
    skill: { type: 'string', multiple: true },
    script: { type: 'string' },
    timezone: { type: 'string' },
    model: { type: 'string' },
    schedule: { type: 'string' },
    prompt: { type: 'string' },
    'no-agent': { type: 'boolean' },
  });
  const [verb, ...words] = positionals;
  const isJson = values.json === true;
  const { json: _json, skill: skills, 'no-agent': isScriptOnly, ...given } = values;
  const options: JobRequest = { ...given, skills, isScriptOnly };
  const action = actions.find((one) => one === verb);
  if (action !== undefined) {
    const name = theOnly(words);
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
