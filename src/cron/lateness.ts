/** What becomes of a slot that was not begun in time. */
import type { Job } from '../core/job.js';
import { nextRun } from './schedule/next-run.js';

const MIN_GRACE_MS = 120_000;
const MAX_GRACE_MS = 7_200_000;

export interface Slot {
  /** The latest time that it was due. */
  readonly dueAt: number;
  readonly isMissed: boolean;
}

const lastDue = ({ schedule, zone }: Job, dueAt: number, now: number): number => {
  // Only what is within the longest grace can still be begun, so nothing before it has to be looked through.
  let last = dueAt;
  let next = nextRun(schedule, zone, Math.max(dueAt, now - MAX_GRACE_MS - 1));
  while (next !== undefined && next <= now) {
    last = next;
    next = nextRun(schedule, zone, next);
  }
  return last;
};

/**
 * A late slot is begun once, within half its period but at least 2 minutes and at most 2 hours; after that, or with
 * `isCatchingUp` false after two minutes, it is missed.
 */
export const judgeSlot = (job: Job, now: number, isCatchingUp: boolean): Slot => {
  const dueAt = lastDue(job, job.nextAt ?? now, now);
  const next = nextRun(job.schedule, job.zone, dueAt);
  const half = next === undefined ? MAX_GRACE_MS : (next - dueAt) / 2;
  const grace = isCatchingUp ? Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, half)) : MIN_GRACE_MS;
  return { dueAt, isMissed: now - dueAt > grace };
};

const withNext = (job: Job, nextAt: number | undefined): Job => {
  const { nextAt: _nextAt, ...rest } = job;
  const isEnabled = nextAt !== undefined;
  return { ...rest, revision: job.revision + 1, isEnabled, ...(isEnabled && { nextAt }) };
};

/** The job once a slot of it was begun. */
export const advanced = (job: Job, now: number): Job => {
  const begun = job.begun + 1;
  const isOver = job.repeat !== undefined && begun >= job.repeat;
  return withNext({ ...job, begun }, isOver ? undefined : nextRun(job.schedule, job.zone, now));
};

/** The job once a slot of it was missed or left out, which is no run of those it has. */
export const passedOver = (job: Job, now: number): Job => withNext(job, nextRun(job.schedule, job.zone, now));
