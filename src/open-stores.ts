/** The part of the composition root that takes the home and opens what is kept in it. */
import type { Settings } from './config/index.js';
import type { Clock } from './core/clock.js';
import type { Logger } from './core/logger.js';
import { acquireHomeLock, locateDatabase, openSqliteStores } from './store/index.js';

export interface OpenStoresOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly role?: string;
}

/** Rejects with a StoreError, e.g. `locked` beside another gateway; the home is free then. */
export const openStores = async ({ settings, clock, logger, role = 'gateway' }: OpenStoresOptions) => {
  const { home } = settings.paths;
  const lock = await acquireHomeLock(home, role);
  try {
    const file = await locateDatabase(home);
    return { lock, stores: await openSqliteStores({ file, now: () => clock.now(), logger }) };
  } catch (error) {
    await lock.release();
    throw error;
  }
};
