/**
 * A job put together from what is asked for and what was before. What could never run or never arrive is refused here,
 * with a sentence that says what to write: later nobody would notice.
 */
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Job } from '../core/job.js';
import type { JobRequest } from '../core/job-service.js';
import type { Origin } from '../core/route.js';
import type { GatewayServices } from '../core/services.js';
import { parseTargets } from '../core/targets.js';
import { nextRun } from './schedule/next-run.js';
import { parseSchedule } from './schedule/parse-schedule.js';
import { isZone } from './schedule/wall-clock.js';
import { findScript } from './script.js';

const MAX_PROMPT = 20_000;
const MAX_NAME = 80;
const MAX_SKILLS = 20;
const MAX_STEPS = 1_000;
const DEFAULT_NAME_LENGTH = 40;

export interface DraftDeps {
  /** IANA name of the zone of jobs that name none. */
  readonly zone: string;
  readonly scriptFolder: string;
  /** What relative folders are relative to. */
  readonly workspace: string;
  services(): GatewayServices;
}

interface DraftContext {
  readonly id: string;
  readonly now: number;
  readonly before: Job | undefined;
  /** The chat that asks, if one does. */
  readonly origin: Origin | undefined;
}

type Draft = { readonly job: Job; readonly notes: readonly string[] };
type Problem = { readonly problem: string };

const problem = (text: string): Problem => ({ problem: text });

/** What may be absent: an empty text takes it away. */
const orBefore = <Value extends string | number>(
  asked: Value | undefined,
  before: Value | undefined,
): Value | undefined => (asked === undefined ? before : asked === '' || asked === 0 ? undefined : asked);

const checkDeliver = (
  deliver: string,
  origin: Origin | undefined,
  services: GatewayServices,
): { readonly deliver: string; readonly note?: string } | Problem => {
  const parsed = parseTargets(deliver);
  if (!parsed.ok) return problem(parsed.problem);
  if (origin === undefined && parsed.targets.every(({ type }) => type === 'origin'))
    return {
      deliver: 'local',
      note: 'There is no chat that it could be delivered to, so its output is only kept (local). Name a target to change that.',
    };
  const check = services.check(deliver, origin);
  return check.ok ? { deliver } : problem(check.problem);
};

const findFolder = async (
  given: string,
  workspace: string,
): Promise<{ readonly path: string | undefined } | Problem> => {
  if (given.trim() === '') return { path: undefined };
  if (given.includes('\0')) return problem('A folder’s name cannot contain a zero byte.');
  const path = resolve(workspace, given.trim());
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return { path: real };
    return problem(`'${path}' is no folder. Name the folder that the job is to work in.`);
  } catch {
    return problem(`There is no folder '${path}'. Name one that exists, by its whole path.`);
  }
};

const skillShape = /^[a-z0-9][a-z0-9._-]{0,63}$/iu;

const checkNumbers = ({ repeat, maxSteps, skills = [], name }: JobRequest): Problem | undefined => {
  if (repeat !== undefined && !(Number.isSafeInteger(repeat) && repeat >= 0))
    return problem(`It cannot run ${repeat} times: write a whole number, or 0 for no end.`);
  if (maxSteps !== undefined && !(Number.isSafeInteger(maxSteps) && maxSteps >= 0 && maxSteps <= MAX_STEPS))
    return problem(`The most model calls of a run are a whole number up to ${MAX_STEPS}, not ${maxSteps}.`);
  const wrong = skills.find((skill) => !skillShape.test(skill));
  if (wrong !== undefined)
    return problem(`'${wrong}' is no name of a skill: letters, digits, dots, dashes and underscores.`);
  if (skills.length > MAX_SKILLS) return problem(`More than ${MAX_SKILLS} skills fit no run.`);
  if (name !== undefined && (name.length > MAX_NAME || /\p{Cc}/u.test(name)))
    return problem(`The name has to be one line of at most ${MAX_NAME} characters.`);
  return undefined;
};

interface Work {
  readonly prompt: string;
  readonly isScriptOnly: boolean;
  readonly script: string | undefined;
  readonly workdir: string | undefined;
}

/** What a run does. */
const checkWork = async (
  request: JobRequest,
  before: Job | undefined,
  { scriptFolder, workspace }: DraftDeps,
): Promise<Work | Problem> => {
  const script = orBefore(request.script, before?.script);
  if (script !== undefined && request.script !== undefined) {
    const found = await findScript(script, scriptFolder);
    if ('problem' in found) return found;
  }
  const folder =
    request.workdir === undefined ? { path: before?.workdir } : await findFolder(request.workdir, workspace);
  if ('problem' in folder) return folder;
  const prompt = (request.prompt ?? before?.prompt ?? '').trim();
  const isScriptOnly = request.isScriptOnly ?? before?.isScriptOnly ?? false;
  if (isScriptOnly && script === undefined)
    return problem('Without a model it needs a script: name a file of the scripts folder.');
  if (prompt === '' && !isScriptOnly) return problem('The prompt is missing: say what is to be done.');
  if (prompt.length > MAX_PROMPT) return problem(`The prompt is longer than ${MAX_PROMPT} characters.`);
  return { prompt, isScriptOnly, script, workdir: folder.path };
};

export const noZone = (zone: string): string =>
  `'${zone}' is no time zone: write an IANA name like Europe/Berlin or UTC.`;

const checkTime = (
  { schedule: asked, timezone }: JobRequest,
  zone: string,
  { before, now }: DraftContext,
) => {
  if (!isZone(zone)) return problem(noZone(zone));
  const parsed = asked === undefined ? undefined : parseSchedule(asked, { now, zone });
  if (parsed !== undefined && !parsed.ok) return problem(parsed.problem);
  const schedule = parsed?.schedule ?? before?.schedule;
  if (schedule === undefined)
    return problem('The schedule is missing: write one like "every weekday at 9am", "every 30m" or "in 2h".');
  const display = parsed?.display ?? before?.display ?? '';
  const isMoved = parsed !== undefined || timezone !== undefined;
  const nextAt = isMoved ? nextRun(schedule, zone, now) : before?.nextAt;
  return { schedule, display, nextAt, isMoved, understood: parsed?.understood };
};

const nameOf = (request: JobRequest, before: Job | undefined, { prompt, script }: Work): string =>
  request.name?.trim() ||
  before?.name ||
  prompt.split('\n')[0]?.slice(0, DEFAULT_NAME_LENGTH).trim() ||
  script ||
  'job';

/** Never rejects. */
export const draftJob = async (
  request: JobRequest,
  context: DraftContext,
  deps: DraftDeps,
): Promise<Draft | Problem> => {
  const { before, now, id } = context;
  const zone = request.timezone || before?.zone || deps.zone;
  const time = checkTime(request, zone, context);
  if ('problem' in time) return time;
  const work = await checkWork(request, before, deps);
  if ('problem' in work) return work;
  const wrong = checkNumbers(request);
  if (wrong !== undefined) return wrong;
  const origin = before?.origin ?? context.origin;
  const wanted = request.deliver ?? before?.deliver ?? 'origin';
  const isSame = before !== undefined && request.deliver === undefined;
  const target = isSame ? { deliver: wanted } : checkDeliver(wanted, origin, deps.services());
  if ('problem' in target) return target;
  const { schedule, display, nextAt, isMoved, understood } = time;
  const { prompt, isScriptOnly, script, workdir } = work;
  const model = orBefore(request.model?.trim(), before?.model);
  const maxSteps = orBefore(request.maxSteps, before?.maxSteps);
  const repeat = orBefore(request.repeat, before?.repeat);
  const isCatchingUp = request.isCatchingUp ?? before?.isCatchingUp;
  const isPaused = before !== undefined && !before.isEnabled && before.nextAt !== undefined;
  const silence = request.silence ?? before?.silence;
  const job: Job = {
    id,
    name: nameOf(request, before, work),
    schedule,
    display,
    zone,
    prompt,
    skills: request.skills ?? before?.skills ?? [],
    ...(script !== undefined && { script }),
    deliver: target.deliver,
    ...(model !== undefined && { model }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(workdir !== undefined && { workdir }),
    ...(isCatchingUp !== undefined && { isCatchingUp }),
    ...(silence !== undefined && { silence }),
    ...(origin !== undefined && { origin }),
    isScriptOnly,
    ...(repeat !== undefined && { repeat }),
    createdAt: before?.createdAt ?? now,
    isEnabled: isMoved ? nextAt !== undefined && !isPaused : (before?.isEnabled ?? true),
    ...(nextAt !== undefined && { nextAt }),
    // A new time for one that is over is a new beginning.
    begun: isMoved && before?.nextAt === undefined ? 0 : (before?.begun ?? 0),
    lostTargets: isSame ? before.lostTargets : [],
    revision: (before?.revision ?? 0) + 1,
  };
  const pausedNote = isMoved && isPaused ? 'It is still paused: resume it to let it run.' : undefined;
  const notes = [understood, 'note' in target ? target.note : undefined, pausedNote];
  return { job, notes: notes.filter((note) => note !== undefined) };
};
