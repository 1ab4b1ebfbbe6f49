import type { Caller } from './caller.js';
import type { Job, JobRun, JobSummary, SilencePolicy } from './job.js';
import type { Origin } from './route.js';

/** A job as it is asked for; on a change, what is absent stays, and an empty text takes away what may be absent. */
export interface JobRequest {
  readonly name?: string | undefined;
  readonly schedule?: string | undefined;
  readonly prompt?: string | undefined;
  readonly deliver?: string | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly script?: string | undefined;
  readonly timezone?: string | undefined;
  readonly model?: string | undefined;
  readonly isScriptOnly?: boolean | undefined;
  /** 0: for ever. */
  readonly repeat?: number | undefined;
  /** 0: as the settings say. */
  readonly maxSteps?: number | undefined;
  /** A folder that there is; absolute, or in the workspace. */
  readonly workdir?: string | undefined;
  readonly isCatchingUp?: boolean | undefined;
  readonly silence?: SilencePolicy | undefined;
}

export interface ShownJob extends Job {
  /** Its schedule in words, e.g. `every weekday at 09:00`. */
  readonly words: string;
  /** The next runs, on the clocks of its zone. */
  readonly nextRuns: readonly string[];
  readonly lastRun?: JobRun;
}

export type JobAnswer =
  | {
      readonly ok: true;
      readonly job: ShownJob;
      /** How it was understood and what to know about it; empty if nothing. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reason: 'invalid' | 'not-found' | 'conflict'; readonly problem: string };

export type SchedulePreview =
  | {
      readonly ok: true;
      readonly understood: string;
      readonly nextRuns: readonly string[];
      readonly zone: string;
    }
  | { readonly ok: false; readonly problem: string };

export type JobAction = 'pause' | 'resume' | 'run' | 'remove';

/** Jobs as people and tools see them; a job is named by its id or its unique name. */
export interface JobService {
  /** `origin`: the chat that asks, if one does. */
  create(request: JobRequest, origin?: Origin): Promise<JobAnswer>;
  update(name: string, request: JobRequest, origin?: Origin): Promise<JobAnswer>;
  act(name: string, action: JobAction): Promise<JobAnswer>;
  find(name: string): Promise<JobAnswer>;
  list(): Promise<readonly ShownJob[]>;
  /** The latest first; of one job or of all. */
  runs(name: string | undefined, limit: number): Promise<readonly JobRun[]>;
  summary(): Promise<JobSummary>;
  /** Begins what is due now; gives the number of runs begun. */
  tick(): Promise<number>;
  /** Resolves when no run is under way any more, however its delivery stands after a minute. */
  idle(): Promise<void>;
  /** The same as one person may have it: an owner all jobs, anybody else those that were made in the same chat. */
  as(caller: Caller): JobService;
  /** How a schedule would be understood; without a zone, in that of the settings. */
  preview(schedule: string, timezone?: string): SchedulePreview;
  /** What a run said, as it is kept, cut if it is very long; undefined if nothing is. */
  output(run: string): Promise<string | undefined>;
  /** A schedule and what follows it, told apart where people write both in one line. */
  split(line: string): { readonly schedule: string; readonly rest: string };
}
