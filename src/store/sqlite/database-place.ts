/**
 * Whether the database's file is still where it was opened. The system lets a process write to a file that was deleted,
 * and all of it is gone when the process ends; so what would be written then is refused, and told.
 */
import { type Stats, statSync } from 'node:fs';
import { later, StoreError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';

/** Looked at before a write, but not before each. */
const LOOK_AGAIN_MS = 1_000;

export interface DatabasePlace {
  /** Undefined while the file is where it was. Heals when the file is put back. */
  problem(): StoreError | undefined;
  /** Throws it where writes have to be refused. */
  guard(): void;
}

interface PlaceOptions {
  readonly file: string;
  readonly now: () => number;
  readonly logger: Logger;
}

const gone = (file: string): StoreError =>
  new StoreError({
    code: 'unwritable',
    message: `${file} was deleted or moved while it was in use. Put it back with its -wal, or start the gateway again; what was said before is lost then.`,
    userText:
      'My database was deleted or moved away while I run, so I cannot keep anything new. Please put it back, or start me again.',
    retry: later,
  });

const replaced = (file: string): StoreError =>
  new StoreError({
    code: 'unwritable',
    message: `${file} is another file than the one in use. Start the gateway again, so that it uses this one.`,
    userText: 'My database was replaced while I run. Please start me again, so that I use the new one.',
    retry: later,
  });

/** For a database that is open already. */
export const watchDatabasePlace = ({ file, now, logger }: PlaceOptions): DatabasePlace => {
  const look = (): Stats | undefined => statSync(file, { throwIfNoEntry: false });
  const opened = look();
  let lookedAt = now();
  let trouble: StoreError | undefined;
  const judge = (found: Stats | undefined): StoreError | undefined => {
    if (found === undefined) return gone(file);
    return found.ino === opened?.ino && found.dev === opened.dev ? undefined : replaced(file);
  };
  const problem = (): StoreError | undefined => {
    // Also where the host's clock was set back.
    if (Math.abs(now() - lookedAt) < LOOK_AGAIN_MS) return trouble;
    lookedAt = now();
    let found: StoreError | undefined;
    try {
      found = judge(look());
    } catch {
      // A folder that cannot be looked into says nothing about the file.
      return trouble;
    }
    if (found !== undefined && trouble?.message !== found.message)
      logger.error({ error: found }, 'database is not where it was');
    if (found === undefined && trouble !== undefined) logger.info({}, 'database is back where it was');
    trouble = found;
    return trouble;
  };
  return {
    problem,
    guard: () => {
      const found = problem();
      if (found !== undefined) throw found;
    },
  };
};
