import { readDatabaseOwner } from './database-header.js';
import type { Connection } from './driver.js';
import { locateDatabase } from './locate-database.js';

/** `file`: the one that is used, or would be. */
export type DatabaseCheck = { readonly file: string } & (
  | { readonly state: 'absent' | 'sound' }
  /** `reason`: what SQLite found, one line each. */
  | { readonly state: 'damaged'; readonly reason: string }
);

/** A gateway may be writing. */
const BUSY_TIMEOUT_MS = 5_000;
/** Each says the same: the file is no good. */
const MAX_FINDINGS = 3;

const findDamage = (connection: Connection): readonly string[] =>
  connection
    .prepare(`PRAGMA quick_check(${MAX_FINDINGS})`)
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((finding) => finding !== 'ok');

/**
 * Reads the whole database of a home, also beside a running gateway, and changes nothing in it. Rejects with a StoreError
 * where it cannot be read. Must not be called while this process has it open.
 */
export const checkDatabase = async (home: string): Promise<DatabaseCheck> => {
  const file = await locateDatabase(home);
  if ((await readDatabaseOwner(file)) === 'none') return { file, state: 'absent' };
  const { openConnection } = await import('./driver.js');
  const connection = openConnection(file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const findings = findDamage(connection);
    return findings.length === 0
      ? { file, state: 'sound' }
      : { file, state: 'damaged', reason: findings.join('; ') };
  } finally {
    connection.close();
  }
};
