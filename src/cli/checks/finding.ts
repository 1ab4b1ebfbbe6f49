import type { HomePaths } from '../../config/home-paths.js';
import type { Settings } from '../../config/index.js';
import type { Clock } from '../../core/clock.js';
import type { GatewayStatus } from '../../core/services.js';
import type { Edge } from '../edge.js';

/** `note`: worth knowing and no fault. `mend`: has to be mended. `mended`: was, and is so no longer. `skipped`: not looked at. */
export type FindingState = 'ok' | 'note' | 'mend' | 'mended' | 'skipped';

/** What one look found. */
export interface Finding {
  /** For programs, e.g. `platform.telegram`. */
  readonly id: string;
  /** For people; a word or two. */
  readonly title: string;
  readonly state: FindingState;
  /** What is so, without a full stop. */
  readonly text: string;
  /** What to do, as a sentence. There is one wherever something has to be mended. */
  readonly fix?: string;
  /** `--fix` can do it. */
  readonly isFixable?: true;
}

export interface CheckContext {
  readonly edge: Edge;
  readonly clock: Clock;
  readonly paths: HomePaths;
  /** Whether to correct what is safe to correct. */
  readonly isFixing: boolean;
  /** What the running gateway says; undefined if none runs, or if it does not answer. */
  readonly status: GatewayStatus | undefined;
}

/** The same, where the settings can be used. */
export interface SettledContext extends CheckContext {
  readonly settings: Settings;
}

/** A far side that has not answered by then counts as not there. */
export const LIMIT_MS = 15_000;

/** What a look that failed says of itself; a limit that ran out is told as such. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${LIMIT_MS / 1000} s`;
  return error instanceof Error ? error.message : String(error);
};

/** Texts stand without the full stop that messages have. */
export const withoutStop = (text: string): string => text.replace(/\.$/u, '');
