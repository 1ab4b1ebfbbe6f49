/** Jobs as people and tools make, see and change them. */
import type { Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/ids.js';
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { JobAction, JobAnswer, JobService, SchedulePreview, ShownJob } from '../core/job-service.js';
import { type DraftDeps, draftJob, noZone } from './job-draft.js';
import { nextRun, nextRuns } from './schedule/next-run.js';
import { parseSchedule } from './schedule/parse-schedule.js';
import { splitLine } from './schedule/split-line.js';
import { formatInZone, isZone } from './schedule/wall-clock.js';
import { toScheduleWords } from './schedule/words.js';

const MAX_JOBS = 100_000;
/** Short enough to be typed, long enough to be one's own among so many. */
const ID_LENGTH = 8;
const ID_ATTEMPTS = 10;
const SHOWN_RUNS = 3;
/** What a kept output begins with: its job and its run. */
const outputHead = /^# .*\n\nJob .*\n\n/u;

export interface JobsDeps extends DraftDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  tick(): Promise<number>;
  idle(): Promise<void>;
  runNow(job: Job): Promise<boolean>;
  /** The text of a file below the home, cut if it is very long. Rejects if it cannot be read. */
  readOutput(path: string): Promise<string>;
  /** False where this process begins no runs. */
  isRunning(): boolean;
}

const refused = (reason: 'invalid' | 'not-found' | 'conflict', problem: string) =>
  ({ ok: false, reason, problem }) as const;

/** In a chat people see what was made there; an owner sees all. */
const mayTouch = ({ origin }: Job, caller: Caller | undefined): boolean =>
  caller === undefined ||
  caller.isOwner ||
  (origin?.platform === caller.origin.platform &&
    origin.account === caller.origin.account &&
    origin.chat === caller.origin.chat);

const preview = (text: string, zone: string, now: number): SchedulePreview => {
  if (!isZone(zone)) return { ok: false, problem: noZone(zone) };
  const parsed = parseSchedule(text, { now, zone });
  if (!parsed.ok) return parsed;
  const runs = nextRuns(parsed.schedule, zone, now, SHOWN_RUNS).map((at) => formatInZone(at, zone));
  return { ok: true, understood: parsed.understood, nextRuns: runs, zone };
};

export const createJobs = (deps: JobsDeps): JobService => {
  const { store, clock, ids } = deps;

  const show = (job: Job, lastRun: JobRun | undefined): ShownJob => {
    const { isEnabled, nextAt, schedule, zone } = job;
    const later =
      isEnabled && nextAt !== undefined ? [nextAt, ...nextRuns(schedule, zone, nextAt, SHOWN_RUNS - 1)] : [];
    const runs = later.map((at) => formatInZone(at, zone));
    const words = toScheduleWords(schedule, zone);
    return { ...job, words, nextRuns: runs, ...(lastRun !== undefined && { lastRun }) };
  };
  const shown = async (job: Job): Promise<ShownJob> => show(job, (await store.runs(job.id, 1))[0]);
  const answer = async (job: Job, notes: readonly string[] = []): Promise<JobAnswer> => ({
    ok: true,
    job: await shown(job),
    notes,
  });

  const visible = async (caller: Caller | undefined): Promise<readonly Job[]> =>
    (await store.all()).filter((job) => mayTouch(job, caller));

  const named = async (
    name: string,
    caller: Caller | undefined,
  ): Promise<Job | ReturnType<typeof refused>> => {
    const exact = await store.find(name.trim());
    if (exact !== undefined && mayTouch(exact, caller)) return exact;
    const all = await visible(caller);
    const wanted = name.trim().toLowerCase();
    const same = all.filter((job) => job.name.toLowerCase() === wanted);
    const found = same.length > 0 ? same : all.filter(({ id }) => wanted !== '' && id.startsWith(wanted));
    const [first] = found;
    if (first === undefined) {
      const names = all.slice(0, 10).map((job) => `“${job.name}”`);
      const known = names.length === 0 ? 'There are none.' : `There are ${names.join(', ')}.`;
      return refused('not-found', `There is no job '${name}'. ${known}`);
    }
    if (found.length === 1) return first;
    const candidates = found.map((job) => `${job.id} (${job.display})`).join(', ');
    return refused('conflict', `Several jobs are called '${name}': ${candidates}. Write the id.`);
  };

  /** Writes what `change` makes of the newest state. */
  const change = async (job: Job, with_: (current: Job) => Job): Promise<Job | undefined> => {
    let current: Job | undefined = job;
    while (current !== undefined) {
      const next = with_(current);
      if (await store.replace(next)) return next;
      current = await store.find(job.id);
    }
    return undefined;
  };

  const resumed = (job: Job): Job => {
    const nextAt = nextRun(job.schedule, job.zone, clock.now());
    const { nextAt: _old, ...rest } = job;
    const isEnabled = nextAt !== undefined;
    return { ...rest, isEnabled, revision: job.revision + 1, ...(isEnabled && { nextAt }) };
  };

  const obey = async (job: Job, action: JobAction): Promise<JobAnswer> => {
    const gone = refused('not-found', `The job '${job.name}' was removed meanwhile.`);
    switch (action) {
      case 'pause':
      case 'resume': {
        const pause = (current: Job): Job => ({
          ...current,
          isEnabled: false,
          revision: current.revision + 1,
        });
        const after = await change(job, action === 'pause' ? pause : resumed);
        if (after === undefined) return gone;
        const isOver = action === 'resume' && !after.isEnabled;
        return answer(after, isOver ? ['Its time is over: give it a new schedule.'] : []);
      }
      case 'run':
        if (!deps.isRunning())
          return refused('conflict', 'No gateway runs that could run it: start `hermes gateway`.');
        if (!(await deps.runNow(job)))
          return refused(
            'conflict',
            'It is running already, or was changed meanwhile: look again in a moment.',
          );
        return answer((await store.find(job.id)) ?? job, ['It runs now; its result is delivered as usual.']);
      case 'remove': {
        const last = await answer(job);
        return (await store.remove(job.id)) ? last : gone;
      }
    }
  };

  const create = async (job: Job): Promise<Job> => {
    for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
      const one = { ...job, id: `job_${ids.next('correlation').slice(-ID_LENGTH)}` };
      if (await store.add(one)) return one;
    }
    throw new Error('no id is free');
  };

  const work = { tick: () => deps.tick(), idle: () => deps.idle() };

  const view = (caller: Caller | undefined): JobService => ({
    create: async (request, origin = caller?.origin) => {
      if ((await store.all()).length >= MAX_JOBS)
        return refused('conflict', `There are ${MAX_JOBS} jobs already: remove some first.`);
      const made = await draftJob(request, { id: '', now: clock.now(), before: undefined, origin }, deps);
      return 'problem' in made
        ? refused('invalid', made.problem)
        : answer(await create(made.job), made.notes);
    },
    update: async (name, request, origin = caller?.origin) => {
      const before = await named(name, caller);
      if ('ok' in before) return before;
      const made = await draftJob(request, { id: before.id, now: clock.now(), before, origin }, deps);
      if ('problem' in made) return refused('invalid', made.problem);
      if (!(await store.replace(made.job)))
        return refused('conflict', 'It was changed meanwhile: try again.');
      return answer(made.job, made.notes);
    },
    act: async (name, action) => {
      const job = await named(name, caller);
      return 'ok' in job ? job : obey(job, action);
    },
    find: async (name) => {
      const job = await named(name, caller);
      return 'ok' in job ? job : answer(job);
    },
    list: async () => {
      const lastRuns = await store.lastRuns();
      return (await visible(caller)).map((job) => show(job, lastRuns.get(job.id)));
    },
    runs: async (name, limit): Promise<readonly JobRun[]> => {
      if (name !== undefined) {
        const job = await named(name, caller);
        return 'ok' in job ? [] : store.runs(job.id, limit);
      }
      const runs = await store.runs(undefined, limit);
      if (caller === undefined) return runs;
      const own = new Set((await visible(caller)).map(({ id }) => id));
      return runs.filter(({ job }) => own.has(job));
    },
    ...work,
    summary: () => store.summary(),
    as: view,
    preview: (text, zone = deps.zone) => preview(text, zone, clock.now()),
    output: async (id) => {
      const run = await store.findRun(id);
      const job = run && (await store.find(run.job));
      if (run?.output === undefined || (job !== undefined && !mayTouch(job, caller))) return undefined;
      const text = await deps.readOutput(run.output).catch(() => undefined);
      // Whoever asks for one run knows which job it is of.
      return text?.replace(outputHead, '').trim();
    },
    split: (line) => splitLine(line, { now: clock.now(), zone: deps.zone }),
  });
  return view(undefined);
};
