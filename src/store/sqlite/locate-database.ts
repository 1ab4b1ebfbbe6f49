import { join } from 'node:path';
import { readDatabaseOwner } from './database-header.js';

/**
 * The file of a home that is our database or can become it: `state.db`, or `gateway.db` where `state.db` belongs to
 * another program. Touches nothing. Once ours is `gateway.db` it stays that, also if the other program's file goes away.
 * Must not be called while this process has a database of that home open.
 */
export const locateDatabase = async (home: string): Promise<string> => {
  const usual = join(home, 'state.db');
  const evasive = join(home, 'gateway.db');
  const owner = await readDatabaseOwner(usual);
  if (owner === 'ours') return usual;
  if (owner === 'foreign') return evasive;
  return (await readDatabaseOwner(evasive)) === 'ours' ? evasive : usual;
};
