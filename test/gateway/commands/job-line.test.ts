import { expect, test } from 'vitest';
import { splitLine } from '../../../src/cron/schedule/split-line.js';
import { readJobLine, takeName, takeOptions } from '../../../src/gateway/commands/job-line.js';

const split = (line: string) =>
  splitLine(line, { now: Date.parse('2026-03-02T12:00:00Z'), zone: 'Europe/Berlin' });
const read = (line: string) => readJobLine(line, split);

test.each([
  ['every weekday at 9am look at the repo', 'every weekday at 9am', 'look at the repo'],
  ['0 9 * * 1-5 look', '0 9 * * 1-5', 'look'],
  ['mon,thu 14:00 look', 'mon,thu 14:00', 'look'],
  ['every 30m look\nand tell', 'every 30m', 'look\nand tell'],
  ['30m 2 eggs', '30m', '2 eggs'],
  ['2026-03-04 09:00 look', '2026-03-04 09:00', 'look'],
  ['@daily look', '@daily', 'look'],
  ['“every 2h” look', 'every 2h', 'look'],
  ['2026-02-30T09:00 look', '2026-02-30T09:00', 'look'],
  ['0 0 31 2 * look', '0 0 31 2 *', 'look'],
])('%j is a time and what is to be done', (line, schedule, rest) => {
  expect(split(line)).toEqual({ schedule, rest });
});

test('options stand before the time, behind it, or behind a prompt in quotes; a phone may make one dash of two', () => {
  const request = { name: 'daily report', deliver: 'telegram', skills: ['one', 'two'] };
  const options = '--name "daily report" —deliver telegram --skill one --skill=two';
  for (const line of [
    `${options} every 2h Look there.`,
    `every 2h ${options} Look there.`,
    `"every 2h" "Look there." ${options}`,
  ])
    expect(read(line)).toEqual({ request: { ...request, schedule: 'every 2h' }, rest: 'Look there.' });
});

test('what a prompt has of dashes and quotes stays in it', () => {
  const rest = 'Run git log --oneline and say "hello" to Bob';
  expect(read(`every 2h ${rest}`)).toEqual({ request: { schedule: 'every 2h' }, rest });
});

test.each([
  ['--nmae x every 2h look', 'do not know --nmae'],
  ['--silence maybe every 2h look', 'marker, never, always'],
  ['--name', 'needs a value'],
])('%j is refused with what to write', (line, problem) => {
  expect(read(line)).toEqual({ problem: expect.stringContaining(problem) });
});

test('numbers and switches are read as such', () => {
  expect(takeOptions('--repeat 5 --max-iterations 9 --no-agent --no-catch-up --silence never x')).toEqual({
    request: { repeat: 5, maxSteps: 9, isScriptOnly: true, isCatchingUp: false, silence: 'never' },
    rest: 'x',
  });
});

test('a name is one word, or in quotes', () => {
  expect(takeName('daily --schedule @daily')).toEqual({ name: 'daily', rest: '--schedule @daily' });
  expect(takeName('"daily report" new words')).toEqual({ name: 'daily report', rest: 'new words' });
});
