/** What one of several processes does to the jobs that all of them share, at the same time as the others. */
import type { Job, JobRun, JobStore } from '../../../src/core/job.js';

export const SLOTS = 15;
export const JOBS = 8;
export const ORPHANS = 60;
export const CHANGES = 150;

/** Its presence is the sign to begin. */
export const startSign = 'start';

export const aHammeredJob = (id: string, over: Partial<Job> = {}): Job => ({
  id,
  name: id,
  schedule: { kind: 'every', everyMs: 1, anchorAt: 0 },
  display: 'again and again',
  zone: 'UTC',
  prompt: 'Look.',
  skills: [],
  deliver: 'local',
  isScriptOnly: false,
  createdAt: 0,
  isEnabled: true,
  nextAt: 1,
  begun: 0,
  lostTargets: [],
  revision: 1,
  ...over,
});

const aHammeredRun = (id: string, job: string, over: Partial<JobRun> = {}): JobRun => ({
  id,
  job,
  jobName: job,
  trigger: 'schedule',
  dueAt: 0,
  startedAt: 0,
  state: 'claimed',
  attempts: 1,
  delivery: 'none',
  lease: { owner: 'gone', expiresAt: 1 },
  ...over,
});

/** Jobs with so many slots, runs whose owner is gone, and one job that everybody changes. */
export const setUpHammer = async (jobs: JobStore): Promise<void> => {
  for (let job = 0; job < JOBS; job += 1) await jobs.add(aHammeredJob(`job-${job}`));
  await jobs.add(aHammeredJob('changed', { isEnabled: false }));
  for (let run = 0; run < ORPHANS; run += 1) await jobs.addRun(aHammeredRun(`orphan-${run}`, `gone-${run}`));
};

/** The slot is claimed and its run ended; the job is over after its last slot. */
const claimNext = async (jobs: JobStore, job: Job, owner: string): Promise<string | undefined> => {
  const slot = job.nextAt ?? 0;
  const { nextAt: _nextAt, ...rest } = job;
  const isLast = slot >= SLOTS;
  const after: Job = {
    ...rest,
    begun: job.begun + 1,
    revision: job.revision + 1,
    isEnabled: !isLast,
    ...(!isLast && { nextAt: slot + 1 }),
  };
  const lease = { owner, expiresAt: 1_000_000 };
  const run = aHammeredRun(`${owner}/${job.id}/${slot}`, job.id, { dueAt: slot, lease });
  if ((await jobs.claim(after, run)) !== 'claimed') return undefined;
  if (!(await jobs.saveRun({ ...run, state: 'ended', outcome: 'ok' }, owner)))
    throw new Error(`the run ${run.id} was taken from its owner`);
  return `claimed ${job.id}/${slot}`;
};

const changeOnce = async (jobs: JobStore): Promise<void> => {
  for (;;) {
    const job = await jobs.find('changed');
    if (job === undefined) throw new Error('the job is gone');
    if (await jobs.replace({ ...job, begun: job.begun + 1, revision: job.revision + 1 })) return;
  }
};

/** Says a line for each thing that it got. */
export const hammer = async (jobs: JobStore, owner: string, say: (line: string) => void): Promise<void> => {
  for (let orphan = 0; orphan < ORPHANS; orphan += 1) {
    const taken = await jobs.takeRun(`orphan-${orphan}`, { owner, expiresAt: 1_000_000 }, 100);
    if (taken !== undefined) say(`taken ${taken.id}`);
    // The others are to come in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (;;) {
    const due = await jobs.due(1_000, JOBS);
    if (due.length === 0) break;
    for (const job of due) {
      const line = await claimNext(jobs, job, owner);
      if (line !== undefined) say(line);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  for (let change = 0; change < CHANGES; change += 1) await changeOnce(jobs);
};
