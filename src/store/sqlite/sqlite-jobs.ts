import type { Job, JobRun, JobStore, JobSummary } from '../../core/job.js';
import { toJson } from '../json-text.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import { jobShape, runShape } from './job-shapes.js';
import { createRowReader, isNull, readInteger, readJson } from './row-reader.js';

const toJob = (row: Row): Job => readJson(row, 'content', jobShape);
const toRun = (row: Row): JobRun => readJson(row, 'content', runShape);
const dueOf = ({ isEnabled, nextAt }: Job): number | null => (isEnabled ? (nextAt ?? null) : null);

const toSummary = (row: Row): JobSummary => ({
  scheduled: readInteger(row, 'scheduled'),
  running: readInteger(row, 'running'),
  ...(!isNull(row, 'next_at') && { nextAt: readInteger(row, 'next_at') }),
});

const prepareStatements = ({ prepare }: Connection) => ({
  insert: prepare('INSERT OR IGNORE INTO jobs (id, due_at, revision, content) VALUES (?, ?, ?, ?)'),
  update: prepare('UPDATE jobs SET due_at = ?, revision = ?, content = ? WHERE id = ? AND revision = ?'),
  all: prepare('SELECT * FROM jobs ORDER BY rowid'),
  one: prepare('SELECT * FROM jobs WHERE id = ?'),
  due: prepare('SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, rowid LIMIT ?'),
  remove: prepare('DELETE FROM jobs WHERE id = ?'),
  busy: prepare('SELECT 1 FROM job_runs WHERE job = ? AND is_open > 0 AND is_open = 1'),
  insertRun: prepare(
    'INSERT INTO job_runs (id, job, is_open, owner, expires_at, content) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  updateRun: prepare(
    'UPDATE job_runs SET is_open = ?, owner = ?, expires_at = ?, content = ? WHERE id = ? AND owner = ?',
  ),
  oneRun: prepare('SELECT * FROM job_runs WHERE id = ?'),
  openRuns: prepare('SELECT * FROM job_runs WHERE is_open > 0 ORDER BY rowid'),
  runs: prepare('SELECT * FROM job_runs ORDER BY rowid DESC LIMIT ?'),
  runsOf: prepare('SELECT * FROM job_runs WHERE job = ? ORDER BY rowid DESC LIMIT ?'),
  summary: prepare(
    `SELECT count(*) AS scheduled, min(due_at) AS next_at,
       (SELECT count(*) FROM job_runs WHERE is_open = 1) AS running FROM jobs WHERE due_at IS NOT NULL`,
  ),
  lastRuns: prepare('SELECT * FROM job_runs WHERE rowid IN (SELECT max(rowid) FROM job_runs GROUP BY job)'),
  removeRuns: prepare('DELETE FROM job_runs WHERE job = ?'),
});

/** 1: its job has to wait for it; 2: it is over but for its delivery. */
const isOpen = ({ state }: JobRun): number => (state === 'ended' ? 0 : state === 'concluding' ? 2 : 1);

const createRuns = (
  statements: ReturnType<typeof prepareStatements>,
  runs: ReturnType<typeof createRowReader>,
) => {
  const addRun = (run: JobRun): void => {
    const { owner, expiresAt } = run.lease;
    statements.insertRun.run(run.id, run.job, isOpen(run), owner, expiresAt, toJson(run));
  };
  const saveRun = (run: JobRun, owner: string): boolean => {
    const { lease } = run;
    const content = toJson(run);
    return statements.updateRun.run(isOpen(run), lease.owner, lease.expiresAt, content, run.id, owner) > 0;
  };
  const findRun = (id: string): JobRun | undefined => {
    const row = statements.oneRun.get(id);
    return row === undefined ? undefined : runs.one(row, 'id', toRun);
  };
  return { addRun, saveRun, findRun };
};

export const createSqliteJobs = ({ connection, logger }: SqliteContext): JobStore => {
  const jobs = createRowReader('jobs', logger);
  const runs = createRowReader('job_runs', logger);
  const statements = prepareStatements(connection);
  const replace = (job: Job): boolean =>
    statements.update.run(dueOf(job), job.revision, toJson(job), job.id, job.revision - 1) > 0;
  const { addRun, saveRun, findRun } = createRuns(statements, runs);
  return {
    add: (job) =>
      connection.queue(() => statements.insert.run(job.id, dueOf(job), job.revision, toJson(job)) > 0),
    all: async () => jobs.many(statements.all.all(), 'id', toJob),
    find: async (id) => {
      const row = statements.one.get(id);
      return row === undefined ? undefined : jobs.one(row, 'id', toJob);
    },
    due: async (now, limit) => jobs.many(statements.due.all(now, limit), 'id', toJob),
    replace: async (job) => replace(job),
    claim: async (job, run) =>
      connection.transaction(() => {
        if (statements.busy.get(job.id) !== undefined) return 'busy';
        if (!replace(job)) return 'stale';
        addRun(run);
        return 'claimed';
      }),
    leaveOut: async (job, run) =>
      connection.transaction(() => {
        if (!replace(job)) return false;
        addRun(run);
        return true;
      }),
    remove: async (id) =>
      connection.transaction(() => {
        statements.removeRuns.run(id);
        return statements.remove.run(id) > 0;
      }),
    addRun: async (run) => addRun(run),
    saveRun: async (run, owner) => saveRun(run, owner),
    takeRun: async (id, lease, now) =>
      connection.transaction(() => {
        const run = findRun(id);
        if (run === undefined || run.state === 'ended') return undefined;
        if (run.lease.expiresAt > now && run.lease.owner !== lease.owner) return undefined;
        const taken = { ...run, lease };
        return saveRun(taken, run.lease.owner) ? taken : undefined;
      }),
    openRuns: async () => runs.many(statements.openRuns.all(), 'id', toRun),
    findRun: async (id) => findRun(id),
    summary: async () => toSummary(statements.summary.get() ?? {}),
    lastRuns: async () =>
      new Map(runs.many(statements.lastRuns.all(), 'id', toRun).map((run) => [run.job, run])),
    runs: async (job, limit) =>
      runs.many(
        job === undefined ? statements.runs.all(limit) : statements.runsOf.all(job, limit),
        'id',
        toRun,
      ),
  };
};
