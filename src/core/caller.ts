import type { UserId } from './ids.js';
import type { Origin } from './route.js';

/** On whose behalf a turn runs. */
export interface Caller {
  readonly origin: Origin;
  readonly user: UserId;
  readonly isOwner: boolean;
  /** Groups that the platform counts the user among, as its ids of them; absent: none. */
  readonly roles?: readonly string[];
  /** It is a program that waits: nobody can be asked. */
  readonly isProgram?: boolean;
  /** Names of the skills that their message limits itself to; absent: all. */
  readonly skills?: readonly string[];
}
