import type { Origin } from './route.js';
import type { Schedule } from './schedule.js';

/**
 * What is not delivered of runs that went well. `marker`: answers that ask for silence; `never`: everything is delivered;
 * `always`: nothing is, so that only failures are heard of.
 */
export const silencePolicies = ['marker', 'never', 'always'] as const;
export type SilencePolicy = (typeof silencePolicies)[number];

/** Something that is to happen by a schedule, as whoever made it wants it. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly schedule: Schedule;
  /** Short, for lists. */
  readonly display: string;
  /** IANA name of the zone on whose clocks it runs. */
  readonly zone: string;
  readonly prompt: string;
  /** Names; what they say goes before the prompt of every run. */
  readonly skills: readonly string[];
  /** A file of the scripts folder, run before the model is asked. */
  readonly script?: string;
  /** Targets as in {@link parseTargets}. */
  readonly deliver: string;
  readonly model?: string;
  /** Most model calls of a run; absent: as the settings say. */
  readonly maxSteps?: number;
  /** Absolute; the folder in which its file tools and its script work, and whose AGENTS.md it follows. */
  readonly workdir?: string;
  /** Whether a slot that was missed by much is run once all the same; absent: as the settings say. */
  readonly isCatchingUp?: boolean;
  /** Absent: `marker`. */
  readonly silence?: SilencePolicy;
  /** The chat it was made in. */
  readonly origin?: Origin;
  /** The script's output is the message; no model is asked. */
  readonly isScriptOnly: boolean;
  /** Runs until it is over; absent: for ever (a one-shot: once). */
  readonly repeat?: number;
  readonly createdAt: number;
  readonly isEnabled: boolean;
  /** Epoch ms; absent: it is not due any more. */
  readonly nextAt?: number;
  /** Times it was begun by its schedule. */
  readonly begun: number;
  /** Targets whose loss its owner was told of. */
  readonly lostTargets: readonly string[];
  /** Grows with every change; a change that knows an older one is refused. */
  readonly revision: number;
}

export type RunOutcome = 'ok' | 'silent' | 'failed' | 'interrupted' | 'missed' | 'skipped';

/** `none`: there was nothing to deliver, or only to be kept. */
export type RunDelivery = 'none' | 'pending' | 'sent' | 'failed' | 'unknown';

export interface JobRun {
  readonly id: string;
  readonly job: string;
  readonly jobName: string;
  readonly trigger: 'schedule' | 'manual';
  readonly dueAt: number;
  readonly startedAt: number;
  /**
   * `preparing`: its script may have run; `asked`: the sink has it or is to have it; `concluding`: it is over and is being
   * delivered; `ended`: nothing more happens.
   */
  readonly state: 'claimed' | 'preparing' | 'asked' | 'concluding' | 'ended';
  /** Times it was begun; a one-shot that was interrupted is begun once more. */
  readonly attempts: number;
  /** What is asked of the agent, while `asked`. */
  readonly question?: string;
  /** What it came to, while `concluding`. */
  readonly answer?: string;
  /** Whether its script failed, so that it is a failed run whatever the model says. */
  readonly scriptError?: string;
  readonly outcome?: RunOutcome;
  readonly error?: string;
  readonly delivery: RunDelivery;
  readonly deliveryDetail?: string;
  readonly endedAt?: number;
  /** Path of the kept output, below the home. */
  readonly output?: string;
  /** Who works on it until when; whoever finds it expired may take it over. */
  readonly lease: { readonly owner: string; readonly expiresAt: number };
}

/** All jobs in three figures. */
export interface JobSummary {
  /** Jobs that will be due. */
  readonly scheduled: number;
  /** Runs that have not ended. */
  readonly running: number;
  /** Epoch ms of the next one; absent if none is scheduled. */
  readonly nextAt?: number;
}

export interface JobStore {
  /** False if the id is taken. */
  add(job: Job): Promise<boolean>;
  all(): Promise<readonly Job[]>;
  find(id: string): Promise<Job | undefined>;
  /** Enabled ones that are due, the longest due first. */
  due(now: number, limit: number): Promise<readonly Job[]>;
  /** In place of the one with the revision before; false if it was changed meanwhile. */
  replace(job: Job): Promise<boolean>;
  /**
   * The run's record and the job as it is afterwards, in one write. `busy`: another run of the job is not over (one that
   * is being delivered is), and nothing was written; `stale`: the job was changed or taken meanwhile.
   */
  claim(job: Job, run: JobRun): Promise<'claimed' | 'busy' | 'stale'>;
  /**
   * The job as it is afterwards and the record of a slot in which nothing was begun, in one write; false, and nothing was
   * written, if the job was changed meanwhile.
   */
  leaveOut(job: Job, run: JobRun): Promise<boolean>;
  /** Its runs go too. */
  remove(id: string): Promise<boolean>;
  /** A record of its own. */
  addRun(run: JobRun): Promise<void>;
  /** Only while `owner` holds its lease; false otherwise. */
  saveRun(run: JobRun, owner: string): Promise<boolean>;
  /** Takes a run over whose lease is expired; undefined if somebody else was quicker. */
  takeRun(id: string, lease: JobRun['lease'], now: number): Promise<JobRun | undefined>;
  openRuns(): Promise<readonly JobRun[]>;
  findRun(id: string): Promise<JobRun | undefined>;
  summary(): Promise<JobSummary>;
  /** The latest run of each job, by the job's id. */
  lastRuns(): Promise<ReadonlyMap<string, JobRun>>;
  /** The latest first. */
  runs(job: string | undefined, limit: number): Promise<readonly JobRun[]>;
}
