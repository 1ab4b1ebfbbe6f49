import { expect, test } from 'vitest';
import type { JobAnswer, JobService, ShownJob } from '../../src/core/job-service.js';
import { cronjob } from '../../src/tools/cronjob.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { noJobs } from '../fakes/gateway-services.js';
import { MemoryMessaging, someServices } from '../fakes/tool-services.js';

const job: ShownJob = {
  id: 'job_1',
  name: 'report',
  schedule: { kind: 'cron', expression: '0 9 * * *' },
  display: '0 9 * * *',
  words: 'every day at 09:00',
  zone: 'Europe/Berlin',
  prompt: 'Look.',
  skills: [],
  deliver: 'origin',
  isScriptOnly: false,
  createdAt: 0,
  isEnabled: true,
  nextAt: 1,
  begun: 0,
  lostTargets: [],
  revision: 1,
  nextRuns: ['Mon 2026-03-02 09:00', 'Tue 2026-03-03 09:00'],
};
const ok: JobAnswer = { ok: true, job, notes: ['Again and again.'] };

/** Runs one call against jobs that answer what they are asked with `answer`, and remember it. */
const call = async (given: unknown, answer: JobAnswer = ok, all: readonly ShownJob[] = [job]) => {
  const asked: unknown[] = [];
  const note = (...what: unknown[]): Promise<JobAnswer> => {
    asked.push(what);
    return Promise.resolve(answer);
  };
  const jobs: JobService = {
    ...noJobs,
    as: () => jobs,
    create: (request) => note('create', request),
    update: (name, request) => note('update', name, request),
    act: (name, action) => note(action, name),
    list: async () => all,
  };
  const messaging = new MemoryMessaging({ 'fake:other': { ok: true, isOwnChatOrHome: false } });
  const context = aToolContext({ services: someServices({ jobs, messaging }) });
  const input = cronjob.input.parse(given);
  const category = cronjob.categoryOf?.(input, context);
  return { outcome: await cronjob.execute(input, context), asked, category };
};

test('what was made is told with its next runs and how it was understood', async () => {
  const { outcome, asked } = await call({
    action: 'create',
    schedule: '0 9 * * *',
    prompt: 'Look.',
    max_iterations: 5,
    catch_up: false,
    no_agent: false,
  });
  expect(asked).toEqual([
    [
      'create',
      { schedule: '0 9 * * *', prompt: 'Look.', maxSteps: 5, isCatchingUp: false, isScriptOnly: false },
    ],
  ]);
  expect(outcome).toEqual({
    isError: false,
    text:
      'Created: report (job_1): every day at 09:00, to origin; next runs: Mon 2026-03-02 09:00, Tue 2026-03-03 09:00 ' +
      '(Europe/Berlin)\nAgain and again.',
  });
});

test.each(['pause', 'resume', 'run', 'remove'])('%s acts on the job that is named', async (action) => {
  const { outcome, asked } = await call({ action, job: 'report' });
  expect(asked).toEqual([[action, 'report']]);
  expect(outcome.isError).toBe(false);
});

test.each(['update', 'pause', 'resume', 'run', 'remove'])(
  '%s without a job says what to give',
  async (action) => {
    const { outcome, asked } = await call({ action });
    expect(asked).toEqual([]);
    expect(outcome).toEqual({ isError: true, text: expect.stringContaining('Give the id or the name') });
  },
);

test('what is refused is an error with the reason', async () => {
  const problem = 'Several jobs are called report: job_1, job_2. Write the id.';
  const { outcome } = await call(
    { action: 'update', job: 'report', prompt: 'x' },
    { ok: false, reason: 'conflict', problem },
  );
  expect(outcome).toEqual({ isError: true, text: `Nothing was done: ${problem}` });
});

test('the list tells the state and the last result of each', async () => {
  const paused = { ...job, isEnabled: false, nextRuns: [] };
  expect((await call({ action: 'list' }, ok, [paused])).outcome.text).toBe(
    'report (job_1): every day at 09:00, to origin; paused',
  );
  expect((await call({ action: 'list' }, ok, [])).outcome.text).toBe('There are no jobs.');
});

test.each([
  [{ action: 'create', deliver: 'fake:other' }, 'system'],
  [{ action: 'update', deliver: 'fake:nowhere' }, 'write'],
  [{ action: 'create', workdir: '/srv' }, 'system'],
  [{ action: 'update', workdir: '' }, 'write'],
  [{ action: 'create' }, 'write'],
  [{ action: 'remove', deliver: 'fake:other' }, 'write'],
] as const)('%o weighs as %s', async (input, category) => {
  expect((await call({ job: 'report', ...input })).category).toBe(category);
});
