/**
 * The one file that knows the SQLite driver. What it hands out:
 * 1. binds only texts, numbers and null (another driver once ended the whole process over a boolean);
 * 2. binds texts without U+0000, where the driver would cut them;
 * 3. throws nothing but a StoreError.
 * Imported lazily by its users, because the native library takes a while to load.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { withoutNul } from '../json-text.js';
import { toStoreError } from './driver-errors.js';

export type BoundValue = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

export interface Statement {
  /** Gives the number of rows changed. */
  run(...values: readonly BoundValue[]): number;
  get(...values: readonly BoundValue[]): Row | undefined;
  all(...values: readonly BoundValue[]): readonly Row[];
}

export interface Connection {
  readonly file: string;
  /** Compiles once; keep the statement. */
  prepare(sql: string): Statement;
  /** Runs statements that give nothing back. */
  exec(sql: string): void;
  /** All of `work` or nothing of it. Not nestable. */
  transaction<Result>(work: () => Result): Result;
  /**
   * The same, together with whatever else is queued within this tick: a commit costs more than what it commits. Works run
   * in the order queued; one that throws takes none of the others with it. Settles when committed, or rolled back.
   */
  queue<Result>(work: () => Result): Promise<Result>;
  /** Calls `listener` whenever a transaction kept nothing, for what was remembered of its work. */
  onRollback(listener: () => void): void;
  /**
   * Nothing can be asked afterwards. The driver lets go of the file only when every statement that was compiled for the
   * connection is collected as garbage, so the files beside the database may outlive this.
   */
  close(): void;
}

export interface ConnectionOptions {
  /** How long a statement waits for another process's lock, in milliseconds; 0 does not wait. */
  readonly busyTimeoutMs: number;
  /** Called before each write; what it throws forbids it. */
  readonly guard?: () => void;
}

/** Opens or creates the file. Foreign keys are enforced; everything else is SQLite's default. */
export const openConnection = (
  file: string,
  { busyTimeoutMs, guard = () => {} }: ConnectionOptions,
): Connection => {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
  const database = attempt(() => new DatabaseSync(file, { timeout: busyTimeoutMs }));

  const compile = (sql: string, check: () => void): Statement =>
    toStatement(
      attempt(() => database.prepare(sql)),
      file,
      check,
    );
  const prepare = (sql: string): Statement => compile(sql, guard);

  let frame:
    | { readonly begin: Statement; readonly commit: Statement; readonly rollback: Statement }
    | undefined;
  const listeners: (() => void)[] = [];
  const transaction = <Result>(work: () => Result): Result => {
    frame ??= {
      begin: prepare('BEGIN IMMEDIATE'),
      // What has begun is ended, whatever is forbidden by then.
      commit: compile('COMMIT', () => {}),
      rollback: compile('ROLLBACK', () => {}),
    };
    frame.begin.run();
    try {
      const result = work();
      frame.commit.run();
      return result;
    } catch (error) {
      // A full disk may have rolled back already.
      if (database.isTransaction) frame.rollback.run();
      for (const listener of listeners) listener();
      throw error;
    }
  };
  const group = createGroup(transaction);
  return {
    file,
    prepare,
    exec: (sql) => attempt(() => database.exec(sql)),
    transaction,
    queue: group.queue,
    onRollback: (listener) => void listeners.push(listener),
    close: () => {
      group.flushAll();
      attempt(() => database.close());
    },
  };
};

const toStatement = (
  statement: ReturnType<InstanceType<typeof DatabaseSync>['prepare']>,
  file: string,
  guard: () => void,
): Statement => {
  const call = <Result>(
    method: (...values: BoundValue[]) => Result,
    values: readonly BoundValue[],
  ): Result => {
    // Two dozen of these make a turn, so no closure is made for each.
    try {
      return method.apply(statement, values.map(toBound));
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
  return {
    run: (...values) => {
      guard();
      return call(statement.run, values).changes;
    },
    // The driver types what it reads as any; rows are checked where they are parsed.
    get: (...values) => call(statement.get, values) as Row | undefined,
    all: (...values) => call(statement.all, values) as readonly Row[],
  };
};

interface Queued {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** As many as share a commit. A thousand turns that end at once would keep everything else waiting for a tenth of a second. */
const MAX_GROUP = 32;

/** Works of one tick in one transaction. */
const createGroup = (transaction: Connection['transaction']) => {
  let queued: Queued[] = [];

  const alone = ({ work, resolve, reject }: Queued): void => {
    try {
      resolve(transaction(work));
    } catch (error) {
      reject(error);
    }
  };
  const commit = (works: readonly Queued[]): void => {
    let results: readonly unknown[];
    try {
      results = transaction(() => works.map(({ work }) => work()));
    } catch {
      // Nothing of it was kept, so each is tried by itself: whoever is at fault fails alone.
      for (const one of works) alone(one);
      return;
    }
    for (const [index, { resolve }] of works.entries()) resolve(results[index]);
  };
  const flush = (): void => {
    const works = queued.slice(0, MAX_GROUP);
    queued = queued.slice(MAX_GROUP);
    if (queued.length > 0) setImmediate(flush);
    if (works.length > 0) commit(works);
  };
  const queue = <Result>(work: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (queued.length === 0) setImmediate(flush);
      // What `work` gives is what its own `resolve` takes.
      queued.push({ work, resolve: resolve as (result: unknown) => void, reject });
    });
  const flushAll = (): void => {
    while (queued.length > 0) flush();
  };
  return { queue, flushAll };
};

const toBound = (value: BoundValue): BoundValue => (typeof value === 'string' ? withoutNul(value) : value);
