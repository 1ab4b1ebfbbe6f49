/** Five-field cron expressions, as Vixie cron reads them. */

export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both the day of the month and the weekday are restricted: either of them is enough. */
  readonly isEitherDay: boolean;
}

type Field = {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** Names of the values from `low` on. */
  readonly names?: readonly string[];
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day of the month', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, names: months },
  { name: 'weekday', low: 0, high: 7, names: weekdays },
] as const satisfies readonly Field[];

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

export const nicknameNames: readonly string[] = Object.keys(nicknames);

/** An expression in place of a nickname; any other text as it is. */
export const expandNickname = (text: string): string => nicknames[text.toLowerCase()] ?? text;

/** What is wrong with an expression; its message is for people. */
export class CronProblem extends Error {}

const toValue = (text: string, { name, low, high, names = [] }: Field): number => {
  const index = names.indexOf(text.toLowerCase());
  const value = index >= 0 ? index + low : /^\d{1,2}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  const spelled = names.length > 0 ? ` or ${names.join(', ')}` : '';
  throw new CronProblem(`'${text}' is no ${name}: ${low} to ${high}${spelled}.`);
};

const parseItem = (text: string, field: Field): readonly number[] => {
  const [, range = '', step] = /^([^/]+)(?:\/(.+))?$/u.exec(text) ?? [];
  if (range === '') throw new CronProblem(`The ${field.name} '${text}' cannot be read.`);
  const every = step === undefined ? 1 : /^\d{1,2}$/u.test(step) ? Number(step) : 0;
  if (every < 1)
    throw new CronProblem(`'/${step}' in the ${field.name} is no step: write a number from 1 on.`);
  const [from = '', to] = range.split('-');
  const isAll = range === '*';
  const start = isAll ? field.low : toValue(from, field);
  const end = isAll
    ? field.high
    : to === undefined
      ? step === undefined
        ? start
        : field.high
      : toValue(to, field);
  if (end < start)
    throw new CronProblem(`'${range}' in the ${field.name} runs backwards: write it as two, with a comma.`);
  const values: number[] = [];
  for (let value = start; value <= end; value += every) values.push(value);
  return values;
};

const parseField = (text: string, field: Field): readonly number[] => {
  const values = new Set(text.split(',').flatMap((item) => parseItem(item, field)));
  return [...values].sort((one, other) => one - other);
};

/** Throws a {@link CronProblem}. */
export const parseCron = (expression: string): CronFields => {
  const texts = expandNickname(expression.trim()).split(/\s+/u);
  if (texts.length !== 5)
    throw new CronProblem(
      `A cron expression has 5 fields (minute, hour, day, month, weekday); '${expression}' has ${texts.length}.`,
    );
  const [minutes = [], hours = [], days = [], monthList = [], weekdayList = []] = fields.map((field, index) =>
    parseField(texts[index] ?? '', field),
  );
  const isFree = (index: number): boolean => texts[index]?.startsWith('*') ?? false;
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(monthList),
    weekdays: new Set(weekdayList.map((day) => day % 7)),
    isEitherDay: !isFree(2) && !isFree(4),
  };
};
