import type { GrantId, SessionId } from './ids.js';
import type { Category } from './permission.js';

/** Calls that were allowed for more than once: of one tool, with these keys, for whoever asked. */
export interface Grant {
  readonly id: GrantId;
  /** Whose calls: `platform:user`, or `job:id`. */
  readonly holder: string;
  readonly tool: string;
  readonly title: string;
  /** Weightier calls of the tool are not covered. */
  readonly category: Category;
  /** See `GrantTopic`. */
  readonly keys: readonly string[];
  readonly label: string;
  /** Holds only in this conversation; absent: until it is revoked. */
  readonly session?: SessionId;
  /** Who allowed it, as `platform:user`. */
  readonly grantedBy: string;
  readonly grantedAt: number;
}

export interface GrantStore {
  add(grant: Grant): Promise<void>;
  /** Oldest first. */
  all(): Promise<readonly Grant[]>;
  /** False if there is none. */
  remove(id: GrantId): Promise<boolean>;
}
