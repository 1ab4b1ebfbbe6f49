/** Schedules as a person would say them. */
import type { Schedule } from '../../core/schedule.js';
import { type CronFields, parseCron } from './cron-fields.js';
import { formatInZone } from './wall-clock.js';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** More times of a day are better read in the expression. */
const MAX_TIMES = 4;
const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** The step, where the values are all that a step from zero on gives within `count`. */
const stepOf = (values: readonly number[], count: number): number | undefined => {
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  if (values[0] !== 0 || step < 1 || count % step !== 0 || values.length !== count / step) return undefined;
  return step;
};

const timesOf = ({ minutes, hours }: CronFields): string | undefined => {
  if (minutes.length * hours.length <= MAX_TIMES)
    return `at ${joined(hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`)))}`;
  const [minute] = minutes;
  const ofHours = stepOf(hours, HOURS_OF_DAY);
  const ofMinutes = stepOf(minutes, MINUTES_OF_HOUR);
  const [first = 0] = hours;
  const last = hours.at(-1) ?? 0;
  const isSpan = hours.length === last - first + 1;
  const within = hours.length === HOURS_OF_DAY ? '' : ` from ${two(first)}:00 to ${two(last)}:59`;
  if (ofMinutes !== undefined && isSpan)
    return `${ofMinutes === 1 ? 'every minute' : `every ${ofMinutes} minutes`}${within}`;
  if (minutes.length !== 1 || minute === undefined) return undefined;
  if (ofHours !== undefined)
    return ofHours === 1 ? `every hour at :${two(minute)}` : `every ${ofHours} hours at :${two(minute)}`;
  return isSpan ? `every hour at :${two(minute)}${within}` : undefined;
};

const isDays = (days: readonly number[], wanted: string): boolean => days.join() === wanted;

const daysOf = ({ days, months: of, weekdays: on, isEitherDay }: CronFields): string | undefined => {
  if (isEitherDay) return undefined;
  const isEveryMonth = of.size === 12;
  const list = [...on].sort((one, other) => one - other);
  if (on.size < 7) {
    if (days.size < 31 || !isEveryMonth) return undefined;
    if (isDays(list, '1,2,3,4,5')) return 'every weekday';
    if (isDays(list, '0,6')) return 'every Saturday and Sunday';
    return `every ${joined(list.map((day) => weekdays[day] ?? ''))}`;
  }
  if (days.size === 31) return isEveryMonth ? 'every day' : undefined;
  const dates = joined([...days].map(String));
  if (isEveryMonth) return `on day ${dates} of every month`;
  return `every year on ${dates} ${joined([...of].map((month) => months[month - 1] ?? ''))}`;
};

const cronWords = (expression: string): string => {
  const fields = parseCron(expression);
  const times = timesOf(fields);
  const days = daysOf(fields);
  if (times === undefined || days === undefined) return `by ${expression}`;
  // What goes on all day long needs no day.
  if (days === 'every day' && times.startsWith('every')) return times;
  return times.startsWith('every')
    ? `${times}, ${days.replace(/^every (?=[A-Z])/u, '')}`
    : `${days} ${times}`;
};

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** `every weekday at 09:00`; an expression that no short sentence says stays an expression. */
export const toScheduleWords = (schedule: Schedule, zone: string): string => {
  switch (schedule.kind) {
    case 'once':
      return `once, on ${formatInZone(schedule.at, zone)}`;
    case 'every': {
      const [ms, unit] = units.find(([size]) => schedule.everyMs % size === 0) ?? [60_000, 'minute'];
      const count = schedule.everyMs / ms;
      return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
    }
    case 'cron':
      return cronWords(schedule.expression);
  }
};
