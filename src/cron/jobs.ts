/** Jobs as people and tools make, see and change them. */
import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/ids.js';
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { JobAction, JobAnswer, JobRequest, JobService, ShownJob } from '../core/job-service.js';
import type { Origin } from '../core/route.js';
import type { GatewayServices } from '../core/services.js';
import { parseTargets } from '../core/targets.js';
import { nextRun, nextRuns } from './schedule/next-run.js';
import { parseSchedule } from './schedule/parse-schedule.js';
import { formatInZone, isZone } from './schedule/wall-clock.js';
import { findScript } from './script.js';

const MAX_JOBS = 100_000;
const MAX_PROMPT = 20_000;

export interface JobsDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** IANA name of the zone of jobs that name none. */
  readonly zone: string;
  readonly scriptFolder: string;
  services(): GatewayServices;
  tick(): Promise<number>;
  runNow(job: Job): Promise<boolean>;
  /** False where this process begins no runs. */
  isRunning(): boolean;
}

const refused = (reason: 'invalid' | 'not-found' | 'conflict', problem: string) =>
  ({ ok: false, reason, problem }) as const;

type Draft = { readonly ok: true; readonly job: Job; readonly notes: readonly string[] };

/** Where it goes: what cannot be reached now is refused, since nobody would notice later. */
const checkDeliver = (
  deliver: string,
  origin: Origin | undefined,
  services: GatewayServices,
): { readonly deliver: string; readonly note?: string } | { readonly problem: string } => {
  const parsed = parseTargets(deliver);
  if (!parsed.ok) return { problem: parsed.problem };
  if (origin === undefined && parsed.targets.every(({ type }) => type === 'origin'))
    return {
      deliver: 'local',
      note: 'There is no chat that it could be delivered to, so its output is only kept (local). Name a target to change that.',
    };
  const check = services.check(deliver, origin);
  return check.ok ? { deliver } : { problem: check.problem };
};

export const createJobs = (deps: JobsDeps): JobService => {
  const { store, clock, ids } = deps;

  const draft = async (
    request: JobRequest,
    before: Job | undefined,
    origin: Origin | undefined,
  ): Promise<Draft | ReturnType<typeof refused>> => {
    const zone = request.timezone ?? before?.zone ?? deps.zone;
    if (!isZone(zone)) return refused('invalid', `'${zone}' is no time zone; write one like Europe/Berlin.`);
    const now = clock.now();
    const parsed =
      request.schedule === undefined ? undefined : parseSchedule(request.schedule, { now, zone });
    if (parsed !== undefined && !parsed.ok) return refused('invalid', parsed.problem);
    const schedule = parsed?.schedule ?? before?.schedule;
    if (schedule === undefined) return refused('invalid', 'The schedule is missing.');
    const script = request.script ?? before?.script;
    if (request.script !== undefined) {
      const found = await findScript(request.script, deps.scriptFolder);
      if ('problem' in found) return refused('invalid', found.problem);
    }
    const prompt = (request.prompt ?? before?.prompt ?? '').trim();
    const isScriptOnly = request.isScriptOnly ?? before?.isScriptOnly ?? false;
    if (isScriptOnly && script === undefined) return refused('invalid', 'Without a model it needs a script.');
    if (prompt === '' && !isScriptOnly)
      return refused('invalid', 'The prompt is missing: what is to be done?');
    if (prompt.length > MAX_PROMPT)
      return refused('invalid', `The prompt is longer than ${MAX_PROMPT} characters.`);
    const wanted = request.deliver ?? before?.deliver ?? 'origin';
    const place = before?.origin ?? origin;
    const isSame = before !== undefined && request.deliver === undefined;
    const target = isSame ? { deliver: wanted } : checkDeliver(wanted, place, deps.services());
    if ('problem' in target) return refused('invalid', target.problem);
    const isMoved = parsed !== undefined || request.timezone !== undefined;
    const nextAt = isMoved ? nextRun(schedule, zone, now) : before?.nextAt;
    const model = request.model ?? before?.model;
    const repeat = request.repeat ?? before?.repeat;
    const name =
      request.name?.trim() || before?.name || prompt.split('\n')[0]?.slice(0, 40) || script || 'job';
    const job: Job = {
      id: before?.id ?? ids.next('correlation'),
      name,
      schedule,
      display: parsed?.display ?? before?.display ?? '',
      zone,
      prompt,
      skills: request.skills ?? before?.skills ?? [],
      ...(script !== undefined && { script }),
      deliver: target.deliver,
      ...(model !== undefined && { model }),
      ...(place !== undefined && { origin: place }),
      isScriptOnly,
      ...(repeat !== undefined && { repeat }),
      createdAt: before?.createdAt ?? now,
      isEnabled: isMoved ? true : (before?.isEnabled ?? true),
      ...(nextAt !== undefined && { nextAt }),
      begun: before?.begun ?? 0,
      lostTargets: isSame ? before.lostTargets : [],
      revision: (before?.revision ?? 0) + 1,
    };
    const notes = [parsed?.understood, 'note' in target ? target.note : undefined];
    return { ok: true, job, notes: notes.filter((note) => note !== undefined) };
  };

  const shown = async (job: Job): Promise<ShownJob> => {
    const [lastRun] = await store.runs(job.id, 1);
    const { isEnabled, nextAt, schedule, zone } = job;
    const later = isEnabled && nextAt !== undefined ? [nextAt, ...nextRuns(schedule, zone, nextAt, 2)] : [];
    const runs = later.map((at) => formatInZone(at, zone));
    return { ...job, nextRuns: runs, ...(lastRun !== undefined && { lastRun }) };
  };
  const answer = async (job: Job, notes: readonly string[] = []): Promise<JobAnswer> => ({
    ok: true,
    job: await shown(job),
    notes,
  });

  const named = async (name: string): Promise<Job | ReturnType<typeof refused>> => {
    const exact = await store.find(name);
    if (exact !== undefined) return exact;
    const all = await store.all();
    const wanted = name.trim().toLowerCase();
    const same = all.filter((job) => job.name.toLowerCase() === wanted);
    const found = same.length > 0 ? same : all.filter(({ id }) => wanted !== '' && id.startsWith(wanted));
    const [first] = found;
    if (first === undefined) return refused('not-found', `There is no job '${name}'.`);
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

  return {
    create: async (request, origin) => {
      if ((await store.all()).length >= MAX_JOBS)
        return refused('conflict', `There are ${MAX_JOBS} jobs already.`);
      const made = await draft(request, undefined, origin);
      if (!made.ok) return made;
      await store.add(made.job);
      return answer(made.job, made.notes);
    },
    update: async (name, request, origin) => {
      const job = await named(name);
      if ('ok' in job) return job;
      const made = await draft(request, job, origin);
      if (!made.ok) return made;
      if (!(await store.replace(made.job)))
        return refused('conflict', 'It was changed meanwhile: try again.');
      return answer(made.job, made.notes);
    },
    act: async (name, action) => {
      const job = await named(name);
      return 'ok' in job ? job : obey(job, action);
    },
    find: async (name) => {
      const job = await named(name);
      return 'ok' in job ? job : answer(job);
    },
    list: async () => Promise.all((await store.all()).map(shown)),
    runs: async (name, limit): Promise<readonly JobRun[]> => {
      if (name === undefined) return store.runs(undefined, limit);
      const job = await named(name);
      return 'ok' in job ? [] : store.runs(job.id, limit);
    },
    tick: () => deps.tick(),
  };
};
