import { parseSchedule, type ScheduleContext } from './parse-schedule.js';

/** `every second day at …` and its like are not longer. */
const MAX_WORDS = 10;
const CRON_FIELDS = 5;

const take = (line: string, words: number): { readonly schedule: string; readonly rest: string } => {
  const [head = ''] = new RegExp(`^(?:\\S+\\s*){0,${words}}`, 'u').exec(line) ?? [];
  return { schedule: head.trim(), rest: line.slice(head.length).trim() };
};

/** What is meant as a schedule although none can be made of it, so that the right thing is complained of. */
const looksMeant = (line: string): number => {
  if (/^\d{4}-\d{2}-\d{2}\s+\d\d:\d\d/u.test(line)) return 2;
  if (/^(?:@|\d{4}-\d{2}-\d{2})/u.test(line)) return 1;
  if (/^[\d*][\d*,/-]*(?:\s+[\w*,/-]+){4}(?:\s|$)/u.test(line)) return CRON_FIELDS;
  return MAX_WORDS;
};

/**
 * `every weekday at 9am look at the repo` → its longest beginning that is a schedule, and the rest. A schedule in double
 * quotes is taken as it is.
 */
export const splitLine = (
  given: string,
  context: ScheduleContext,
): { readonly schedule: string; readonly rest: string } => {
  const line = given.trim();
  const [quoted, inside] = /^["“”„«]([^"“”„«»]*)["“”»]/u.exec(line) ?? [];
  if (quoted !== undefined && inside !== undefined)
    return { schedule: inside.trim(), rest: line.slice(quoted.length).trim() };
  const words = line.split(/\s+/u).length;
  for (let count = Math.min(MAX_WORDS, words); count > 0; count -= 1) {
    const split = take(line, count);
    if (parseSchedule(split.schedule, context).ok) return split;
  }
  return take(line, looksMeant(line));
};
