import { describe, expect, test } from 'vitest';
import { nextRun, nextRuns } from '../../../src/cron/schedule/next-run.js';

const runs = (expression: string, zone: string, from: string, count = 3) =>
  nextRuns({ kind: 'cron', expression }, zone, Date.parse(from), count).map((at) =>
    new Date(at).toISOString(),
  );

const between = (expression: string, zone: string, from: string, to: string) =>
  runs(expression, zone, from, 200).filter((at) => at <= new Date(to).toISOString());

describe('the next run', () => {
  test('CR-01 a time in the hour that spring skips runs once, at the first valid moment', () => {
    expect(runs('15 2 * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:15:00.000Z',
    ]);
  });

  test('several times in the skipped hour are one run', () => {
    expect(runs('*/15 2 * * *', 'Europe/Berlin', '2026-03-28T01:45:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:00:00.000Z',
    ]);
  });

  test('CR-02 a time in the hour that autumn repeats runs once, also when asked again in between', () => {
    expect(between('45 2 * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
      '2026-10-25T00:45:00.000Z',
    ]);
    expect(runs('45 2 * * *', 'Europe/Berlin', '2026-10-25T01:20:00Z', 1)).toEqual([
      '2026-10-26T01:45:00.000Z',
    ]);
  });

  test('CR-02 what runs every few minutes goes on in real time', () => {
    const all = between('*/5 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T03:00:00Z');
    const expected = Array.from({ length: 36 }, (_, index) =>
      new Date(Date.parse('2026-10-25T00:05:00Z') + index * 300_000).toISOString(),
    );
    expect(all).toEqual(expected);
  });

  test('a day of the month and a weekday are either enough, unless one begins with a star', () => {
    expect(runs('0 0 13 * fri', 'UTC', '2026-02-01T00:00:00Z')).toEqual([
      '2026-02-06T00:00:00.000Z',
      '2026-02-13T00:00:00.000Z',
      '2026-02-20T00:00:00.000Z',
    ]);
    expect(runs('0 0 */2 * fri', 'UTC', '2026-02-01T00:00:00Z', 2)).toEqual([
      '2026-02-13T00:00:00.000Z',
      '2026-02-27T00:00:00.000Z',
    ]);
  });

  test('29 February comes in leap years; a date that never comes has no run', () => {
    expect(runs('0 12 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T12:00:00.000Z',
      '2032-02-29T12:00:00.000Z',
    ]);
    expect(runs('0 12 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T12:00:00.000Z']);
    expect(nextRun({ kind: 'cron', expression: '0 0 31 4 *' }, 'UTC', 0)).toBeUndefined();
  });

  test('a whole day that a zone skips is made up for at its end', () => {
    expect(runs('0 9 * * *', 'Pacific/Apia', '2011-12-29T20:00:00Z', 2)).toEqual([
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
    ]);
  });

  test('zones whose clocks change at midnight or by half an hour', () => {
    expect(runs('0 0 * * *', 'America/Havana', '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
    ]);
    expect(runs('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', 1)).toEqual([
      '2026-10-03T15:30:00.000Z',
    ]);
  });

  test('an interval counts from its anchor in real time', () => {
    const schedule = { kind: 'every', everyMs: 600_000, anchorAt: 1_000 } as const;
    expect(nextRun(schedule, 'UTC', 0)).toBe(601_000);
    expect(nextRun(schedule, 'UTC', 601_000)).toBe(1_201_000);
    expect(nextRun(schedule, 'UTC', 1_200_999)).toBe(1_201_000);
  });

  test('once is once', () => {
    expect(nextRun({ kind: 'once', at: 5 }, 'UTC', 4)).toBe(5);
    expect(nextRun({ kind: 'once', at: 5 }, 'UTC', 5)).toBeUndefined();
  });
});
