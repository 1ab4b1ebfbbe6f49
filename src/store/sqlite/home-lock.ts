import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { later, StoreError } from '../../core/errors.js';
import type { Connection } from './driver.js';
import { toStoreError } from './driver-errors.js';
import { ensurePrivateFile } from './private-file.js';

/** The right to be the only gateway of a home. */
export interface HomeLock {
  /** Gives the home free. The end of the process, however it comes, does the same. */
  release(): Promise<void>;
}

/** A connection that nobody refers to is closed by the garbage collector, which would give the home free. */
const held = new Set<Connection>();

/**
 * Takes the home for this process, for as long as it lives. `role` says in other processes' errors what this one is,
 * e.g. `gateway`. The lock is one of the operating system on `gateway.lock`, so it cannot be left behind by a kill;
 * `gateway.lock.owner` beside it only tells who has it. Rejects with a StoreError: `locked` if another process has it.
 */
export const acquireHomeLock = async (home: string, role: string): Promise<HomeLock> => {
  const file = join(home, 'gateway.lock');
  const ownerFile = `${file}.owner`;
  await ensurePrivateFile(file);
  const { openConnection } = await import('./driver.js');
  const connection = openConnection(file, { busyTimeoutMs: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    await writeFile(ownerFile, JSON.stringify({ pid: process.pid, role }), { mode: 0o600 });
  } catch (error) {
    connection.close();
    const failure = toStoreError(error, file);
    throw failure.code === 'locked' ? await toLockedError(home, ownerFile, failure) : failure;
  }
  held.add(connection);
  return {
    release: async () => {
      if (!held.delete(connection)) return;
      // Before the lock goes: afterwards the file may be the next owner's.
      await rm(ownerFile, { force: true });
      // Closing alone keeps the lock until the statements are collected as garbage.
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
};

const toLockedError = async (home: string, ownerFile: string, cause: StoreError): Promise<StoreError> => {
  const owner = await readOwner(ownerFile);
  const holder = owner === undefined ? 'another process' : `process ${owner.pid} (${owner.role})`;
  const stop = owner === undefined ? 'stop it' : `stop it (kill ${owner.pid})`;
  return new StoreError({
    code: 'locked',
    message: `${home} is in use by ${holder}. A home has one gateway: ${stop}, or set HERMES_HOME to another folder.`,
    retry: later,
    cause,
  });
};

const readOwner = async (
  ownerFile: string,
): Promise<{ readonly pid: string; readonly role: string } | undefined> => {
  try {
    const owner: unknown = JSON.parse(await readFile(ownerFile, 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('role' in owner))
      return undefined;
    return { pid: String(owner.pid), role: String(owner.role) };
  } catch {
    return undefined;
  }
};
