import type { Job, JobRun, JobStore } from '../../core/job.js';
import { copyOf } from './copy.js';

const createRuns = (
  runs: Map<string, JobRun>,
): Pick<JobStore, 'addRun' | 'saveRun' | 'takeRun' | 'openRuns' | 'findRun' | 'lastRuns' | 'runs'> => ({
  addRun: async (run) => void runs.set(run.id, copyOf(run)),
  saveRun: async (run, owner) => {
    if (runs.get(run.id)?.lease.owner !== owner) return false;
    runs.set(run.id, copyOf(run));
    return true;
  },
  takeRun: async (id, lease, now) => {
    const run = runs.get(id);
    if (run === undefined || run.state === 'ended') return undefined;
    if (run.lease.expiresAt > now && run.lease.owner !== lease.owner) return undefined;
    const taken = { ...run, lease };
    runs.set(id, taken);
    return taken;
  },
  openRuns: async () => [...runs.values()].filter(({ state }) => state !== 'ended'),
  findRun: async (id) => runs.get(id),
  lastRuns: async () => new Map([...runs.values()].map((run) => [run.job, run])),
  runs: async (job, limit) =>
    [...runs.values()]
      .reverse()
      .filter((run) => job === undefined || run.job === job)
      .slice(0, limit),
});

const isOver = ({ state }: JobRun): boolean => state === 'ended' || state === 'concluding';

export const createMemoryJobs = (): JobStore => {
  const jobs = new Map<string, Job>();
  const runs = new Map<string, JobRun>();
  const replace = (job: Job): boolean => {
    if (jobs.get(job.id)?.revision !== job.revision - 1) return false;
    jobs.set(job.id, copyOf(job));
    return true;
  };
  const dueOf = ({ isEnabled, nextAt }: Job): number =>
    isEnabled ? (nextAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  return {
    ...createRuns(runs),
    add: async (job) => {
      if (jobs.has(job.id)) return false;
      jobs.set(job.id, copyOf(job));
      return true;
    },
    all: async () => [...jobs.values()],
    find: async (id) => jobs.get(id),
    summary: async () => {
      const times = [...jobs.values()].map(dueOf).filter(Number.isFinite);
      const running = [...runs.values()].filter(({ state }) => state !== 'ended').length;
      return { scheduled: times.length, running, ...(times.length > 0 && { nextAt: Math.min(...times) }) };
    },
    due: async (now, limit) =>
      [...jobs.values()]
        .filter((job) => dueOf(job) <= now)
        .sort((one, other) => dueOf(one) - dueOf(other))
        .slice(0, limit),
    replace: async (job) => replace(job),
    claim: async (job, run) => {
      if ([...runs.values()].some((one) => one.job === job.id && !isOver(one))) return 'busy';
      if (!replace(job)) return 'stale';
      runs.set(run.id, copyOf(run));
      return 'claimed';
    },
    leaveOut: async (job, run) => {
      if (!replace(job)) return false;
      runs.set(run.id, copyOf(run));
      return true;
    },
    remove: async (id) => {
      for (const run of runs.values()) if (run.job === id) runs.delete(run.id);
      return jobs.delete(id);
    },
  };
};
