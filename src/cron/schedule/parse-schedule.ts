/**
 * The grammar of schedules. In this order: nicknames, day phrases, `every <time>`, five cron fields, ISO times,
 * `in <time>`, a bare time (once, from now).
 */
import type { ParsedSchedule, Schedule } from '../../core/schedule.js';
import { CronProblem, expandNickname, nicknameNames, parseCron } from './cron-fields.js';
import { parseDayPhrase } from './day-phrase.js';
import { formatDuration, parseDuration } from './duration.js';
import { nextRun } from './next-run.js';
import { formatInZone, parseIsoTime } from './wall-clock.js';

export interface ScheduleContext {
  readonly now: number;
  /** IANA name of the zone that times without one of their own mean. */
  readonly zone: string;
}

const grammar =
  'Write a cron expression (0 9 * * 1-5, @daily), "every 30m", "in 2h", "30m", a time (2026-03-01T09:00) or days ' +
  '("every weekday at 9am", "mon,thu 14:00"). Units are m, h and d.';

const problem = (text: string): ParsedSchedule => ({ ok: false, problem: text });

const understood = (schedule: Schedule, display: string, sentence: string): ParsedSchedule => ({
  ok: true,
  schedule,
  display,
  understood: sentence,
});

const once = (at: number, sentence: string, { now, zone }: ScheduleContext): ParsedSchedule => {
  if (at <= now)
    return problem(`${formatInZone(at, zone)} (${zone}) is over; it is ${formatInZone(now, zone)} there.`);
  return understood({ kind: 'once', at }, `once at ${formatInZone(at, zone)}`, sentence);
};

const cron = (expression: string, display: string, { now, zone }: ScheduleContext): ParsedSchedule => {
  try {
    parseCron(expression);
  } catch (error) {
    if (error instanceof CronProblem) return problem(error.message);
    throw error;
  }
  const schedule: Schedule = { kind: 'cron', expression: expandNickname(expression).replace(/\s+/gu, ' ') };
  if (nextRun(schedule, zone, now) === undefined)
    return problem(`'${display}' names a date that never comes.`);
  return understood(
    schedule,
    display,
    `Again and again by '${schedule.expression}', on the clocks of ${zone}.`,
  );
};

const isoStart = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/iu;

const iso = (text: string, context: ScheduleContext): ParsedSchedule => {
  const { zone } = context;
  const time = parseIsoTime(text, zone);
  if (time === undefined) return problem(`There is no time '${text}'. Write it like 2026-03-01T09:00.`);
  const moved = time.isSkipped ? ' That time is skipped there, so it runs right after.' : '';
  return once(time.at, `Once, on ${formatInZone(time.at, zone)} (${zone}).${moved}`, context);
};

const MAX_MS = 366 * 10 * 86_400_000;

const every = (text: string, { now }: ScheduleContext): ParsedSchedule => {
  const everyMs = parseDuration(text);
  if (everyMs === undefined || everyMs > MAX_MS)
    return problem(
      `'every ${text}' cannot be read: write whole minutes, hours or days, e.g. every 30m. ${grammar}`,
    );
  const display = `every ${formatDuration(everyMs)}`;
  return understood(
    { kind: 'every', everyMs, anchorAt: now },
    display,
    `Again and again, ${display}, from now on.`,
  );
};

const isCronLike = (text: string): boolean =>
  /^[\w*,/?#-]+(?:\s+[\w*,/?#-]+){4,}$/u.test(text) || /^[\d*][\d*,/-]*(?:\s+[\w*,/-]+)+$/u.test(text);

const later = (text: string, context: ScheduleContext): ParsedSchedule | undefined => {
  const afterMs = parseDuration(text);
  if (afterMs === undefined || afterMs > MAX_MS) return undefined;
  const at = context.now + afterMs;
  const repeat = `every ${formatDuration(afterMs)}`;
  const { zone } = context;
  return once(
    at,
    `Once, ${formatDuration(afterMs)} from now, on ${formatInZone(at, zone)} (${zone}). To repeat it write '${repeat}'.`,
    context,
  );
};

/** Never throws; a problem is a sentence that says what to write. */
export const parseSchedule = (given: string, context: ScheduleContext): ParsedSchedule => {
  const text = given.trim();
  if (text === '') return problem(`The schedule is empty. ${grammar}`);
  if (text.startsWith('@')) {
    if (nicknameNames.includes(text.toLowerCase())) return cron(text, text.toLowerCase(), context);
    return problem(`'${text}' is not known: ${nicknameNames.join(', ')}.`);
  }
  const phrase = parseDayPhrase(text);
  if (phrase !== undefined) return cron(phrase, text, context);
  const [, interval] = /^every\s+(.+)$/iu.exec(text) ?? [];
  if (interval !== undefined) return every(interval, context);
  if (isoStart.test(text)) return iso(text, context);
  const [, delay] = /^in\s+(.+)$/iu.exec(text) ?? [];
  const relative = later(delay ?? text, context);
  if (relative !== undefined) return relative;
  if (isCronLike(text)) return cron(text, text, context);
  return problem(`'${text}' is no schedule. ${grammar}`);
};
