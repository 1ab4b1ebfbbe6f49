import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { later, never, StoreError } from '../../../src/core/errors.js';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { toStoreError } from '../../../src/store/sqlite/driver-errors.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

/** As the driver throws them: `errcode` is SQLite's extended result code. */
const driverError = (errcode: number, systemErrno?: number) =>
  Object.assign(new Error('told by SQLite'), { code: 'ERR_SQLITE_ERROR', errcode, systemErrno });
const systemError = (code: string) => Object.assign(new Error(`${code}: told by the system`), { code });

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('what the driver and the file system throw', () => {
  test.each([
    ['SQLITE_FULL', driverError(13), 'full', later],
    ['SQLITE_IOERR_SHMSIZE', driverError(4874), 'full', later],
    ['SQLITE_IOERR_WRITE for want of space', driverError(778, 28), 'full', later],
    ['SQLITE_CANTOPEN for want of space', driverError(14, 28), 'full', later],
    ['ENOSPC', systemError('ENOSPC'), 'full', later],
    ['SQLITE_READONLY', driverError(8), 'unwritable', later],
    ['SQLITE_READONLY_DIRECTORY', driverError(1544), 'unwritable', later],
    ['SQLITE_CANTOPEN', driverError(14, 13), 'unwritable', later],
    ['SQLITE_PERM', driverError(3), 'unwritable', later],
    ['EACCES', systemError('EACCES'), 'unwritable', later],
    ['EROFS', systemError('EROFS'), 'unwritable', later],
    ['SQLITE_BUSY', driverError(5), 'locked', later],
    ['SQLITE_BUSY_SNAPSHOT', driverError(517), 'locked', later],
    ['SQLITE_LOCKED', driverError(6), 'locked', later],
    ['SQLITE_NOTADB', driverError(26), 'corrupt', never],
    ['SQLITE_CORRUPT_VTAB', driverError(267), 'corrupt', never],
    ['SQLITE_IOERR_READ', driverError(266, 5), 'failed', later],
    ['SQLITE_CONSTRAINT_UNIQUE', driverError(2067), 'failed', never],
    ['a mistake of ours', new TypeError('cannot be bound'), 'failed', never],
    ['no error at all', 'text', 'failed', never],
  ] as const)('%s becomes a StoreError with its fate, naming the file', (_name, thrown, code, retry) => {
    const error = toStoreError(thrown, '/home/of/state.db');
    expect(error).toMatchObject({ name: 'StoreError', code, retry, cause: thrown });
    expect(error.message).toContain('/home/of/state.db');
  });

  test('a StoreError passes through', () => {
    const error = new StoreError({ code: 'foreign', message: 'x', retry: never });
    expect(toStoreError(error, 'file')).toBe(error);
  });

  test.each([13, 8])('result %i tells the person in the chat what to do', (errcode) => {
    expect(toStoreError(driverError(errcode), 'file').userText).toMatch(/Please .*by myself\.$/);
  });

  test('a real full database, lock, folder and text file are told apart', () => {
    const file = home.file('state.db');
    const connection = openConnection(file, { busyTimeoutMs: 0 });
    const other = openConnection(file, { busyTimeoutMs: 0 });
    connection.exec('CREATE TABLE t (x); PRAGMA max_page_count = 3; BEGIN IMMEDIATE');
    writeFileSync(home.file('notes'), 'notes '.repeat(1000));
    mkdirSync(home.file('folder'));
    const failures = [
      thrownBy(() => connection.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000))),
      thrownBy(() => {
        connection.exec('BEGIN IMMEDIATE');
        other.exec('BEGIN IMMEDIATE');
      }),
      thrownBy(() => openConnection(home.file('folder'), { busyTimeoutMs: 0 })),
      thrownBy(() => openConnection(home.file('notes'), { busyTimeoutMs: 0 }).exec('SELECT * FROM t')),
    ];
    expect(failures.map((error) => (error instanceof StoreError ? error.code : error))).toEqual([
      'full',
      'locked',
      'unwritable',
      'corrupt',
    ]);
    other.close();
    connection.close();
  });
});
