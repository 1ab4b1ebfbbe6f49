import { expect, test } from 'vitest';
import { parseSchedule } from '../../../src/cron/schedule/parse-schedule.js';
import { toScheduleWords } from '../../../src/cron/schedule/words.js';

const now = Date.parse('2026-03-02T12:00:00Z');

test.each([
  ['every weekday at 9am', 'every weekday at 09:00'],
  ['0 9 * * 1-5', 'every weekday at 09:00'],
  ['mon,thu 14:00', 'every Monday and Thursday at 14:00'],
  ['daily at noon', 'every day at 12:00'],
  ['0 8,18 * * 0,6', 'every Saturday and Sunday at 08:00 and 18:00'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['* * * * *', 'every minute'],
  ['*/10 9-17 * * 1-5', 'every 10 minutes from 09:00 to 17:59, every weekday'],
  ['@hourly', 'every hour at :00'],
  ['30 */6 * * *', 'every day at 00:30, 06:30, 12:30 and 18:30'],
  ['5 */2 * * *', 'every 2 hours at :05'],
  ['@monthly', 'on day 1 of every month at 00:00'],
  ['@yearly', 'every year on 1 January at 00:00'],
  ['0 9 13 * 5', 'by 0 9 13 * 5'],
  ['7,9,23 1-5 * * *', 'by 7,9,23 1-5 * * *'],
  ['every 30m', 'every 30 minutes'],
  ['every 1d', 'every day'],
  ['every 90m', 'every 90 minutes'],
  ['2026-03-04T09:30', 'once, on Wed 2026-03-04 09:30'],
])('%s is said as %s', (text, words) => {
  const parsed = parseSchedule(text, { now, zone: 'Europe/Berlin' });
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(toScheduleWords(parsed.schedule, 'Europe/Berlin')).toBe(words);
});
