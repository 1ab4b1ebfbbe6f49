import type { Logger } from '../../core/logger.js';
import type { Connection } from './driver.js';

/** What every store on the database works with. */
export interface SqliteContext {
  readonly connection: Connection;
  /** Told about damaged rows. */
  readonly logger: Logger;
  /** Epoch ms; stamps what ends, so that it can be forgotten later. */
  readonly now: () => number;
}
