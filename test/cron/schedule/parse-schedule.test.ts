import { describe, expect, test } from 'vitest';
import { parseSchedule } from '../../../src/cron/schedule/parse-schedule.js';

const now = Date.parse('2026-02-27T10:00:00Z');
const parse = (text: string, zone = 'Europe/Berlin') => parseSchedule(text, { now, zone });
const scheduleOf = (text: string, zone?: string) => {
  const parsed = parse(text, zone);
  return parsed.ok ? parsed.schedule : parsed.problem;
};

describe('the grammar of schedules', () => {
  test.each([
    ['0 9 * * 1-5', '0 9 * * 1-5'],
    ['  */15  8-18 * jan-mar MON,wed ', '*/15 8-18 * jan-mar MON,wed'],
    ['@daily', '0 0 * * *'],
    ['@Yearly', '0 0 1 1 *'],
    ['every weekday at 9am', '0 9 * * 1-5'],
    ['weekdays 9:30pm', '30 21 * * 1-5'],
    ['mon,thu 14:00', '0 14 * * 1,4'],
    ['every monday and friday at noon', '0 12 * * 1,5'],
    ['every 1d at 09:00', '0 9 * * *'],
    ['daily at midnight', '0 0 * * *'],
    ['weekends at 7', '0 7 * * 0,6'],
    ['every day 12am', '0 0 * * *'],
  ])('%s is a cron expression', (text, expression) => {
    expect(scheduleOf(text)).toStrictEqual({ kind: 'cron', expression });
  });

  test.each([
    ['every 30m', 30],
    ['every 2 hours', 120],
    ['every day', 1440],
    ['Every 3d', 4320],
  ])('%s is an interval from now on', (text, minutes) => {
    expect(scheduleOf(text)).toStrictEqual({ kind: 'every', everyMs: minutes * 60_000, anchorAt: now });
  });

  test.each([
    ['30m', '2026-02-27T10:30:00Z'],
    ['in 2h', '2026-02-27T12:00:00Z'],
    ['2026-03-01T09:00', '2026-03-01T08:00:00Z'],
    ['2026-03-01 09:00:30', '2026-03-01T08:00:30Z'],
    ['2026-03-01', '2026-02-28T23:00:00Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00Z'],
    ['2026-03-01T09:00+05:30', '2026-03-01T03:30:00Z'],
    // Skipped in spring: right after; repeated in autumn: the first.
    ['2026-03-29T02:15', '2026-03-29T01:00:00Z'],
    ['2026-10-25T02:15', '2026-10-25T00:15:00Z'],
  ])('%s runs once', (text, at) => {
    expect(scheduleOf(text)).toStrictEqual({ kind: 'once', at: Date.parse(at) });
  });

  test('a bare time says that it runs once, and how to repeat it', () => {
    expect(parse('30m')).toMatchObject({
      display: 'once at Fri 2026-02-27 11:30',
      understood:
        "Once, 30m from now, on Fri 2026-02-27 11:30 (Europe/Berlin). To repeat it write 'every 30m'.",
    });
  });

  test.each([
    ['', 'empty'],
    ['whenever', 'no schedule'],
    ['0 9 * *', '5 fields'],
    ['0 0 9 * * *', 'it has|has 6'],
    ['60 * * * *', "'60' is no minute: 0 to 59"],
    ['0 9 * * funday', "'funday' is no weekday"],
    ['0 9 * * fri-mon', 'backwards'],
    ['*/0 * * * *', 'no step'],
    ['0 0 31 2 *', 'never comes'],
    ['0 0 30 feb *', 'never comes'],
    ['@sometimes', 'not known'],
    ['every 10s', 'whole minutes'],
    ['every 0m', 'whole minutes'],
    ['2026-02-30T09:00', 'no time'],
    ['2026-13-01T09:00', 'no time'],
    ['2026-02-27T10:59', 'is over'],
    ['every weekday at 25:00', 'whole minutes'],
  ])('%s is refused with what to write', (text, said) => {
    expect(scheduleOf(text)).toMatch(new RegExp(said, 'u'));
  });
});
