import { describe, expect, test } from 'vitest';
import type { Job, JobRun } from '../../../src/core/job.js';
import { type OpenHarness, useStores } from './harness.js';
import { origin } from './records.js';

const aJob = (over: Partial<Job> = {}): Job => ({
  id: 'job-1',
  name: 'report',
  schedule: { kind: 'cron', expression: '0 9 * * *' },
  display: 'daily',
  zone: 'UTC',
  prompt: 'Look.',
  skills: ['one'],
  deliver: 'origin',
  origin,
  isScriptOnly: false,
  createdAt: 1,
  isEnabled: true,
  nextAt: 100,
  begun: 0,
  lostTargets: [],
  revision: 1,
  ...over,
});

const aRun = (over: Partial<JobRun> = {}): JobRun => ({
  id: 'run-1',
  job: 'job-1',
  jobName: 'report',
  trigger: 'schedule',
  dueAt: 100,
  startedAt: 101,
  state: 'claimed',
  attempts: 1,
  delivery: 'none',
  lease: { owner: 'a', expiresAt: 500 },
  ...over,
});

export const jobSuite = (open: OpenHarness): void => {
  describe('jobs', () => {
    const harness = useStores(open);

    test('a job is kept as it was, and its id is taken once', async () => {
      const kept = aJob({ maxSteps: 5, workdir: '/srv/repo', isCatchingUp: false, silence: 'never' });
      expect(await harness.stores.jobs.add(kept)).toBe(true);
      expect(await harness.stores.jobs.add(aJob({ name: 'other' }))).toBe(false);
      const { jobs } = await harness.restart();
      expect(await jobs.find('job-1')).toStrictEqual(kept);
      expect(await jobs.find('job-2')).toBeUndefined();
    });

    test('those are due that are enabled and whose time has come, the longest due first', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      await jobs.add(aJob({ id: 'job-2', nextAt: 50 }));
      await jobs.add(aJob({ id: 'job-3', nextAt: 101 }));
      await jobs.add(aJob({ id: 'job-4', isEnabled: false }));
      expect((await jobs.due(100, 10)).map(({ id }) => id)).toEqual(['job-2', 'job-1']);
      expect((await jobs.due(100, 1)).map(({ id }) => id)).toEqual(['job-2']);
    });

    test('a due run is claimed once, together with the advance of its job', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      const after = aJob({ nextAt: 200, begun: 1, revision: 2 });
      const claims = await Promise.all([
        jobs.claim(after, aRun()),
        jobs.claim(after, aRun({ id: 'run-2', lease: { owner: 'b', expiresAt: 500 } })),
      ]);
      expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
      const { jobs: kept } = await harness.restart();
      expect(await kept.find('job-1')).toStrictEqual(after);
      expect(await kept.openRuns()).toStrictEqual([aRun()]);
    });

    test('a slot that is left out is recorded together with the advance of its job, or not at all', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      const after = aJob({ nextAt: 200, revision: 2 });
      const record = aRun({ state: 'ended', outcome: 'missed' });
      expect(await jobs.leaveOut(after, record)).toBe(true);
      expect(await jobs.leaveOut(after, aRun({ id: 'run-2', state: 'ended' }))).toBe(false);
      const { jobs: kept } = await harness.restart();
      expect(await kept.find('job-1')).toStrictEqual(after);
      expect(await kept.runs(undefined, 9)).toStrictEqual([record]);
      expect(await kept.openRuns()).toEqual([]);
    });

    test('a run that is being delivered is open and holds up no other run of its job', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      await jobs.claim(aJob({ nextAt: 200, revision: 2 }), aRun());
      const concluding = aRun({ state: 'concluding', outcome: 'ok', answer: 'All well.' });
      await jobs.saveRun(concluding, 'a');
      const { jobs: kept } = await harness.restart();
      expect(await kept.openRuns()).toStrictEqual([concluding]);
      expect(await kept.claim(aJob({ nextAt: 300, revision: 3 }), aRun({ id: 'run-2' }))).toBe('claimed');
      expect(await kept.claim(aJob({ nextAt: 400, revision: 4 }), aRun({ id: 'run-3' }))).toBe('busy');
    });

    test('a job never overlaps itself; what knew an older revision changes nothing', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      await jobs.claim(aJob({ nextAt: 200, revision: 2 }), aRun());
      expect(await jobs.claim(aJob({ nextAt: 300, revision: 3 }), aRun({ id: 'run-2' }))).toBe('busy');
      await jobs.saveRun(aRun({ state: 'ended', outcome: 'ok' }), 'a');
      expect(await jobs.claim(aJob({ nextAt: 300, revision: 2 }), aRun({ id: 'run-2' }))).toBe('stale');
      expect(await jobs.replace(aJob({ nextAt: 300, revision: 2 }))).toBe(false);
      expect(await jobs.claim(aJob({ nextAt: 300, revision: 3 }), aRun({ id: 'run-2' }))).toBe('claimed');
    });

    test('a run is taken over when its lease is over, by one, and its first owner writes no more', async () => {
      const { jobs } = harness.stores;
      await jobs.addRun(aRun());
      const lease = { owner: 'b', expiresAt: 900 };
      expect(await jobs.takeRun('run-1', lease, 499)).toBeUndefined();
      expect(await jobs.takeRun('run-1', lease, 500)).toStrictEqual(aRun({ lease }));
      expect(await jobs.takeRun('run-1', { owner: 'c', expiresAt: 900 }, 500)).toBeUndefined();
      expect(await jobs.saveRun(aRun({ state: 'ended' }), 'a')).toBe(false);
      expect(await jobs.saveRun(aRun({ state: 'ended', lease }), 'b')).toBe(true);
      expect(await jobs.takeRun('run-1', { owner: 'c', expiresAt: 2000 }, 1000)).toBeUndefined();
    });

    test('the history has the latest first, and goes with its job', async () => {
      const { jobs } = harness.stores;
      await jobs.add(aJob());
      for (const id of ['run-1', 'run-2', 'run-3']) await jobs.addRun(aRun({ id, state: 'ended' }));
      await jobs.addRun(aRun({ id: 'run-4', job: 'job-2' }));
      expect((await jobs.runs('job-1', 2)).map(({ id }) => id)).toEqual(['run-3', 'run-2']);
      expect((await jobs.runs(undefined, 9)).map(({ id }) => id)).toEqual([
        'run-4',
        'run-3',
        'run-2',
        'run-1',
      ]);
      expect(await jobs.remove('job-1')).toBe(true);
      expect(await jobs.findRun('run-1')).toBeUndefined();
      expect(await jobs.remove('job-1')).toBe(false);
    });

    test('all jobs in three figures', async () => {
      const { jobs } = harness.stores;
      expect(await jobs.summary()).toStrictEqual({ scheduled: 0, running: 0 });
      await jobs.add(aJob());
      await jobs.add(aJob({ id: 'job-2', nextAt: 50 }));
      await jobs.add(aJob({ id: 'job-3', isEnabled: false, nextAt: 10 }));
      await jobs.addRun(aRun());
      await jobs.addRun(aRun({ id: 'run-2', state: 'ended' }));
      expect(await jobs.summary()).toStrictEqual({ scheduled: 2, running: 1, nextAt: 50 });
    });

    test('the latest run of each job is read at once', async () => {
      const { jobs } = harness.stores;
      for (const id of ['job-1', 'job-2', 'job-3']) await jobs.add(aJob({ id }));
      const ended = { state: 'ended', question: 'Look.' } as const;
      await jobs.addRun(aRun({ id: 'run-1', ...ended }));
      await jobs.addRun(aRun({ id: 'run-2', job: 'job-2', ...ended }));
      await jobs.addRun(aRun({ id: 'run-3', ...ended }));
      const { jobs: kept } = await harness.restart();
      expect(Object.fromEntries(await kept.lastRuns())).toStrictEqual({
        'job-1': aRun({ id: 'run-3', ...ended }),
        'job-2': aRun({ id: 'run-2', job: 'job-2', ...ended }),
      });
    });
  });
};
