/**
 * When a schedule is due next: a pure function of schedule, zone and instant.
 *
 * Where clocks are changed:
 * 1. A schedule for certain hours that falls into the skipped hour runs once, at the first valid moment after it.
 * 2. One that falls into the repeated hour runs once, in the first of the two.
 * 3. One for every hour (every five minutes) goes by real time: nothing is skipped, nothing is made up for.
 */
import type { Schedule } from '../../core/schedule.js';
import { type CronFields, parseCron } from './cron-fields.js';
import { changesAround, endOfGap, instantsOf, toWall } from './wall-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** More than any zone has its clocks show twice. */
const LONGEST_REPEAT_MS = 3 * HOUR_MS;
/** Between two 29 February around a year like 1900 lie eight years; a 29th that has to come as well may take longer. */
const HORIZON_DAYS = 366 * 9;

const parsed = new Map<string, CronFields>();
const MAX_PARSED = 1_000;

const fieldsOf = (expression: string): CronFields => {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  const fields = parseCron(expression);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(expression, fields);
  return fields;
};

const isDay = (midnight: number, { days, months, weekdays, isEitherDay }: CronFields): boolean => {
  const date = new Date(midnight);
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const isDate = days.has(date.getUTCDate());
  const isWeekday = weekdays.has(date.getUTCDay());
  return isEitherDay ? isDate || isWeekday : isDate && isWeekday;
};

const toInstants = (wall: number, zone: string, isHourly: boolean): readonly number[] => {
  const instants = instantsOf(wall, zone);
  if (isHourly) return instants;
  return instants.length === 0 ? [endOfGap(wall, zone)] : instants.slice(0, 1);
};

const firstOfDay = (
  midnight: number,
  { minutes, hours }: CronFields,
  zone: string,
  after: number,
): number | undefined => {
  const isHourly = hours.length === 24;
  const isPlain = !changesAround(midnight, zone);
  const shown = toWall(after, zone);
  let first: number | undefined;
  for (const hour of hours) {
    for (const minute of minutes) {
      const wall = midnight + hour * HOUR_MS + minute * MINUTE_MS;
      // On most days the wall's time and the instants run alike, and the first that is late enough is it.
      if (wall <= (isPlain ? shown : shown - LONGEST_REPEAT_MS)) continue;
      if (first !== undefined && wall > toWall(first, zone) + LONGEST_REPEAT_MS) return first;
      const later = toInstants(wall, zone, isHourly).filter((at) => at > after);
      const earliest = later[0];
      if (earliest === undefined) continue;
      if (isPlain) return earliest;
      first = Math.min(first ?? earliest, earliest);
    }
  }
  return first;
};

const nextOfCron = (expression: string, zone: string, after: number): number | undefined => {
  const fields = fieldsOf(expression);
  const wall = toWall(after, zone);
  // Clocks that are set back over midnight show the day before once more.
  const start = Math.floor(wall / DAY_MS) * DAY_MS - DAY_MS;
  for (let day = 0; day <= HORIZON_DAYS; day += 1) {
    const midnight = start + day * DAY_MS;
    if (!isDay(midnight, fields)) continue;
    const first = firstOfDay(midnight, fields, zone, after);
    if (first !== undefined) return first;
  }
  return undefined;
};

/** Epoch ms of the first run after `after`; undefined if there is none any more. `zone` is an IANA name. */
export const nextRun = (schedule: Schedule, zone: string, after: number): number | undefined => {
  switch (schedule.kind) {
    case 'once':
      return schedule.at > after ? schedule.at : undefined;
    case 'every': {
      const { everyMs, anchorAt } = schedule;
      return anchorAt + Math.max(1, Math.floor((after - anchorAt) / everyMs) + 1) * everyMs;
    }
    case 'cron':
      return nextOfCron(schedule.expression, zone, after);
  }
};

/** The next `count` runs, fewer if there are no more. */
export const nextRuns = (
  schedule: Schedule,
  zone: string,
  after: number,
  count: number,
): readonly number[] => {
  const runs: number[] = [];
  let last: number | undefined = after;
  while (runs.length < count) {
    last = nextRun(schedule, zone, last);
    if (last === undefined) break;
    runs.push(last);
  }
  return runs;
};
