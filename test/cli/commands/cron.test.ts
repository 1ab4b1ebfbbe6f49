import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/cron.js';
import { CommandFailure, UsageError } from '../../../src/cli/edge.js';
import type { JobRun } from '../../../src/core/job.js';
import type { ShownJob } from '../../../src/core/job-service.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const lastRun: JobRun = {
  id: 'run_1',
  job: 'job_1',
  jobName: 'daily report',
  trigger: 'schedule',
  dueAt: 0,
  startedAt: 0,
  state: 'ended',
  attempts: 1,
  outcome: 'failed',
  error: `the script said ${'no '.repeat(60)}`,
  delivery: 'sent',
  lease: { owner: 'a', expiresAt: 0 },
};

const job: ShownJob = {
  id: 'job_1',
  name: 'daily report',
  schedule: { kind: 'cron', expression: '0 9 * * *' },
  display: '@daily',
  words: 'every day at 09:00',
  zone: 'Europe/Berlin',
  prompt: 'Look at it. '.repeat(30).trim(),
  skills: [],
  deliver: 'local',
  isScriptOnly: false,
  createdAt: 0,
  isEnabled: true,
  nextAt: 1,
  begun: 0,
  lostTargets: [],
  revision: 1,
  nextRuns: ['Mon 2026-03-02 09:00', 'Tue 2026-03-03 09:00'],
  lastRun,
};
const wide = {
  ...job,
  id: 'job_2',
  name: '每天早上的工作报告和其他重要的事情',
  isEnabled: false,
  nextRuns: [],
};

/** Columns of a terminal. */
const columnsOf = (line: string): number =>
  [...line].reduce((sum, one) => sum + (/\p{Script=Han}/u.test(one) ? 2 : 1), 0);

const answered = async (body: unknown, status = 200, isTerminal = true): Promise<FakeEdge> => {
  const edge = new FakeEdge({ isTerminal, environment: { NO_COLOR: '1' } });
  gateway = await answerOnSocket(edge.home, { status, body });
  return edge;
};

describe('at a terminal', () => {
  test('the list stands in columns and fits 80 of them', async () => {
    const edge = await answered({ jobs: [job, wide] });
    await run(['list'], edge);
    const lines = edge.out.trimEnd().split('\n');
    expect(lines[1]).toBe('daily report         every day at 09:00      Mon 2026-03-02 09:00  failed, deli…');
    expect(lines[2]).toMatch(/^每天早上的工作报告… {2}every day at 09:00 +paused +failed, deli…$/u);
    expect(lines[2]?.indexOf('every day')).toBeGreaterThan(0);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(80);
  });

  test.each([['show', 'daily report'], ['runs']])('%s fits 80 columns', async (...args) => {
    const edge = await answered({ job, notes: [], runs: [lastRun] });
    await run(args, edge);
    expect(edge.out).toContain('daily report');
    for (const line of edge.out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(80);
  });
});

test('elsewhere a list is lines of fields, the id first, and --json is all of it', async () => {
  const edge = await answered({ jobs: [job] }, 200, false);
  await run(['list'], edge);
  expect(edge.out).toBe(
    'job_1\tMon 2026-03-02 09:00\tevery day at 09:00\tlocal\tfailed, delivered\tdaily report\n',
  );
  const json = new FakeEdge({ home: edge.home });
  await run(['list', '--json'], json);
  expect(JSON.parse(json.out)).toEqual({ jobs: [job] });
});

test('every option reaches the gateway', async () => {
  const edge = await answered({ job, notes: ['Again and again.'] });
  const words = ['create', '@daily', 'Look.', '--name', 'n', '--skill', 'a', '--skill', 'b', '--repeat', '3'];
  const more = [
    '--max-iterations',
    '9',
    '--workdir',
    '/srv',
    '--silence',
    'never',
    '--no-catch-up',
    '--no-agent',
  ];
  expect(await run([...words, ...more], edge)).toBe(0);
  expect(gateway?.asked.at(-1)).toMatchObject({
    path: '/api/jobs',
    body: {
      ...{ schedule: '@daily', prompt: 'Look.', name: 'n', skills: ['a', 'b'], repeat: 3, maxSteps: 9 },
      ...{ workdir: '/srv', silence: 'never', isCatchingUp: false, isScriptOnly: true },
    },
  });
  expect(edge.err).toContain('Again and again.');
});

test('what the gateway refuses is told with its reason', async () => {
  const edge = await answered({ error: { code: 'invalid-request', message: 'It never comes.' } }, 400);
  await expect(run(['create', '0 0 31 2 *', 'x'], edge)).rejects.toThrow(CommandFailure);
  await expect(run(['create', '0 0 31 2 *', 'x'], edge)).rejects.toThrow('It never comes.');
});

test.each([
  [[], 'write create, list'],
  [['create'], 'SCHEDULE is missing'],
  [['show'], 'NAME is missing'],
  [['create', '@daily', 'x', '--repeat', 'many'], "not 'many'"],
  [['create', '@daily', 'x', '--silence', 'maybe'], 'marker, never, always'],
  [['edit', 'x', '--catch-up', '--no-catch-up'], 'not both'],
  [['list', 'more'], 'not expected'],
])('%j is wrong usage', async (args, problem) => {
  await expect(run(args, new FakeEdge())).rejects.toThrow(UsageError);
  await expect(run(args, new FakeEdge())).rejects.toThrow(problem);
});
