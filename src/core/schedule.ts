/** When a job runs. Plain data, kept with the job; its next run is a pure function of it, a zone and an instant. */
export type Schedule =
  /** Five fields, normalised to numbers, e.g. `0 9 * * 1-5`. On the wall clock of the job's zone. */
  | { readonly kind: 'cron'; readonly expression: string }
  /** In real time from `anchorAt` (epoch ms) on, whatever the clocks on the wall do. */
  | { readonly kind: 'every'; readonly everyMs: number; readonly anchorAt: number }
  | { readonly kind: 'once'; readonly at: number };

export type ParsedSchedule =
  | {
      readonly ok: true;
      readonly schedule: Schedule;
      /** Short, for lists, e.g. `every 30m`. */
      readonly display: string;
      /** A sentence about how the text was understood, for whoever wrote it. */
      readonly understood: string;
    }
  | { readonly ok: false; readonly problem: string };
