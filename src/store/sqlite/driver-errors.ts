import { constants } from 'node:os';
import { later, never, StoreError } from '../../core/errors.js';

/** SQLite's result codes, without their extensions (the low byte). */
const sqlite = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
};
/** The shared memory file beside the database could not grow. */
const ioerrShmSize = 4874;

const fullErrors: readonly unknown[] = ['ENOSPC', 'EDQUOT', constants.errno.ENOSPC, constants.errno.EDQUOT];
const accessErrors: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOENT', 'ENOTDIR'];

interface Failure {
  readonly message: string;
  readonly code: unknown;
  /** SQLite's extended result code. */
  readonly result: number | undefined;
  readonly systemErrno: unknown;
}

const toFailure = (error: unknown): Failure => {
  const fields: { message?: unknown; code?: unknown; errcode?: unknown; systemErrno?: unknown } =
    error instanceof Error ? error : {};
  return {
    message: typeof fields.message === 'string' ? fields.message : String(error),
    code: fields.code,
    result: typeof fields.errcode === 'number' ? fields.errcode : undefined,
    systemErrno: fields.systemErrno,
  };
};

const codeOf = ({ code, result, systemErrno }: Failure): StoreError['code'] => {
  if (fullErrors.includes(code) || fullErrors.includes(systemErrno) || result === ioerrShmSize) return 'full';
  if (accessErrors.includes(code)) return 'unwritable';
  switch (result === undefined ? undefined : result & 0xff) {
    case sqlite.full:
      return 'full';
    case sqlite.perm:
    case sqlite.readonly:
    case sqlite.cantopen:
      return 'unwritable';
    case sqlite.busy:
    case sqlite.locked:
      return 'locked';
    case sqlite.corrupt:
    case sqlite.notadb:
      return 'corrupt';
    default:
      return 'failed';
  }
};

type Wording = Pick<StoreError, 'message' | 'retry'> & { readonly userText?: string };

const wordingOf = (code: StoreError['code'], failure: Failure, file: string): Wording => {
  const reason = failure.message;
  switch (code) {
    case 'full':
      return {
        message: `There is no room left for ${file} (${reason}). Free some space on its disk; nothing else is needed.`,
        retry: later,
        userText:
          'The disk of the machine I run on is full, so I cannot keep anything new. Please free some space there; I then go on by myself.',
      };
    case 'unwritable':
      return {
        message: `${file} cannot be opened or written (${reason}). Give the gateway's user write access to it and to its folder.`,
        retry: later,
        userText:
          'I may not write to my database, so I cannot keep anything new. Please give me write access to it; I then go on by myself.',
      };
    case 'locked':
      return {
        message: `Another program keeps ${file} locked (${reason}). Close it; nothing else is needed.`,
        retry: later,
      };
    case 'corrupt':
      return {
        message: `${file} is damaged or no database (${reason}). Stop the gateway, move the file away with its -wal and -shm, and put a backup in its place or start without one.`,
        retry: never,
        userText: 'My database is damaged and needs my operator.',
      };
    case 'foreign':
    case 'failed': {
      const isHardware = failure.result !== undefined && (failure.result & 0xff) === sqlite.ioerr;
      return { message: `${file}: ${reason}`, retry: isHardware ? later : never };
    }
  }
};

/** What the driver or the file system threw, in our words; a StoreError passes through. */
export const toStoreError = (error: unknown, file: string): StoreError => {
  if (error instanceof StoreError) return error;
  const failure = toFailure(error);
  const code = codeOf(failure);
  return new StoreError({ code, cause: error, ...wordingOf(code, failure, file) });
};
