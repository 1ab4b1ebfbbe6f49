/**
 * Due jobs to runs. Place in the flow: clock → (here) → performer.
 *
 * 1. A run's record and the advance of its job are one write before anything of it happens: a crash never runs a slot twice.
 * 2. A tick begins and never waits: one slow job holds up nobody.
 * 3. A slot is missed if nobody was there, not if there was no room: what waits for room stays in line.
 */
import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/ids.js';
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { Logger } from '../core/logger.js';
import { advanced, judgeSlot, passedOver, type Slot } from './lateness.js';
import { LEASE_MS, type Performer } from './performer.js';

const MAX_DUE = 1_000;

export interface SchedulerDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Names this life of the process. */
  readonly owner: string;
  readonly maxParallel: number;
  readonly isCatchingUp: boolean;
  readonly performer: Performer;
}

export class Scheduler {
  readonly #deps: SchedulerDeps;
  /** Due jobs for which there was no room, as they then stood. */
  #inLine: ReadonlySet<string> = new Set();
  #ticking: Promise<number> | undefined;
  #filling: Promise<void> = Promise.resolve();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** Begins what is due; gives the number of runs begun. */
  tick(): Promise<number> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  /** Begins what waits, as far as there is room now: a look at the first in line, where a tick looks at all. */
  fill(): Promise<void> {
    const filled = this.#filling.then(() => this.#fill());
    this.#filling = filled.catch(() => {});
    return filled;
  }

  async #fill(): Promise<void> {
    const { store, clock, performer, maxParallel } = this.#deps;
    if (!performer.isReady || performer.size >= maxParallel) return;
    // More than there is room for, since some stay due while a run of theirs has not ended.
    for (const job of await store.due(clock.now(), 2 * maxParallel)) {
      if (performer.size >= maxParallel) return;
      await this.#take(job);
    }
  }

  async #tick(): Promise<number> {
    if (!this.#deps.performer.isReady) return 0;
    const { store, clock, performer } = this.#deps;
    await this.#renew();
    let begun = 0;
    const inLine = new Set<string>();
    for (const job of await store.due(clock.now(), MAX_DUE)) {
      const hasRoom = performer.size < this.#deps.maxParallel;
      if (!hasRoom && !this.#judge(job).isMissed) inLine.add(placeInLine(job));
      else if (await this.#take(job)) begun += 1;
    }
    this.#inLine = inLine;
    return begun;
  }

  #judge(job: Job): Slot {
    const slot = judgeSlot(job, this.#deps.clock.now(), job.isCatchingUp ?? this.#deps.isCatchingUp);
    return this.#inLine.has(placeInLine(job)) ? { ...slot, isMissed: false } : slot;
  }

  /** A run beside the schedule. False: another one of it has not ended. */
  async runNow(job: Job): Promise<boolean> {
    const run = this.#newRun(job, 'manual', this.#deps.clock.now());
    if ((await this.#deps.store.claim({ ...job, revision: job.revision + 1 }, run)) !== 'claimed')
      return false;
    this.#deps.performer.start(job, run);
    return true;
  }

  async #renew(): Promise<void> {
    const { store, clock, owner, performer } = this.#deps;
    const expiresAt = clock.now() + LEASE_MS;
    for (const run of performer.runs()) await store.takeRun(run.id, { owner, expiresAt }, clock.now());
  }

  async #take(job: Job): Promise<boolean> {
    const { store, clock, logger, performer } = this.#deps;
    const now = clock.now();
    const { dueAt, isMissed } = this.#judge(job);
    const after = advanced(job, now);
    const run = this.#newRun(job, 'schedule', dueAt);
    const isOnce = job.schedule.kind === 'once';
    if (isMissed) return isOnce ? this.#miss(after, run) : this.#leaveOut(job, run, 'missed');
    const claim = await store.claim(after, run);
    // What comes but once waits for the other run of it to end.
    if (claim === 'busy' && !isOnce) return this.#leaveOut(job, run, 'skipped');
    if (claim !== 'claimed') return false;
    logger.info({ job: job.id, run: run.id, dueAt, lateMs: now - dueAt }, 'job begun');
    performer.start(after, run);
    return true;
  }

  /** What was to happen once and did not is told like a failure: nothing else would ever be heard of it. */
  async #miss(after: Job, run: JobRun): Promise<false> {
    const { store, logger, performer } = this.#deps;
    const missed: JobRun = { ...run, outcome: 'missed' };
    if ((await store.claim(after, missed)) !== 'claimed') return false;
    logger.warn({ job: after.id, run: run.id, dueAt: run.dueAt }, 'one-shot missed');
    performer.tellMissed(after, missed);
    return false;
  }

  async #leaveOut(job: Job, run: JobRun, outcome: 'missed' | 'skipped'): Promise<false> {
    const { store, clock, logger } = this.#deps;
    const now = clock.now();
    const error =
      outcome === 'missed'
        ? 'The gateway was not running when it was due.'
        : 'The run before it had not ended.';
    const record: JobRun = { ...run, state: 'ended', outcome, error, endedAt: now };
    if (await store.leaveOut(passedOver(job, now), record))
      logger.warn({ job: job.id, dueAt: run.dueAt, outcome }, 'slot of a job left out');
    return false;
  }

  #newRun(job: Job, trigger: JobRun['trigger'], dueAt: number): JobRun {
    const { ids, clock, owner } = this.#deps;
    const startedAt = clock.now();
    const lease = { owner, expiresAt: startedAt + LEASE_MS };
    const id = ids.next('correlation');
    const names = { id, job: job.id, jobName: job.name };
    return { ...names, trigger, dueAt, startedAt, state: 'claimed', attempts: 1, delivery: 'none', lease };
  }
}

/** Whoever changes a job takes it out of the line. */
const placeInLine = ({ id, revision }: Job): string => `${id}/${revision}`;
