/**
 * Our run times beside croner's, over random schedules and zones. Where clocks are changed the two follow different
 * rules on purpose; those differences are told apart here, and any other is a fault.
 */
import { Cron } from 'croner';
import { nextRuns } from '../../../src/cron/schedule/next-run.js';
import { changesAround, toWall } from '../../../src/cron/schedule/wall-clock.js';

export const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Auckland',
] as const;

const DAY_MS = 86_400_000;

/** A small generator whose numbers depend on the seed alone (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
};

type Random = ReturnType<typeof createRandom>;

const field = (random: Random, low: number, high: number): string => {
  const one = random(low, high);
  const other = random(low, high);
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const forms = [
    '*',
    `${one}`,
    `${from}-${to}`,
    `*/${random(1, 9)}`,
    `${from}-${to}/${random(1, 4)}`,
    `${one},${other}`,
  ];
  return forms[random(0, forms.length - 1)] ?? '*';
};

/**
 * Where day and weekday are both restricted and one begins with a star (`a step`), Vixie cron asks for both and croner for
 * either: such schedules are not made.
 */
export const randomExpression = (random: Random): string => {
  const minute = field(random, 0, 59);
  // Half of them in the hours where clocks are changed.
  const hour = random(0, 1) === 0 ? field(random, 0, 3) : field(random, 0, 23);
  const day = random(0, 2) === 0 ? field(random, 1, 28) : '*';
  const month = random(0, 5) === 0 ? field(random, 1, 12) : '*';
  const weekday = random(0, 2) === 0 ? field(random, 0, 6) : '*';
  const isMixed = day !== '*' && weekday !== '*' && [day, weekday].some((text) => text.startsWith('*'));
  return [minute, hour, day, month, isMixed ? '*' : weekday].join(' ');
};

/**
 * Justified: the day's clocks are changed, and there we run once right after the skipped hour and once in the repeated
 * one, as Vixie cron does, where croner moves each run by the hour or runs in both.
 */
const isJustified = (at: number, zone: string): boolean =>
  changesAround(Math.floor(toWall(at, zone) / DAY_MS) * DAY_MS, zone);

/** The first `count` runs after `from`, by ours and by croner's; `faults` are differences that nothing justifies. */
export const compare = (expression: string, zone: string, from: number, count: number) => {
  const theirs = new Cron(expression, { timezone: zone, paused: true, mode: '5-part' });
  const ours = nextRuns({ kind: 'cron', expression }, zone, from, count);
  const others = theirs.nextRuns(count, new Date(from)).map((run) => run.getTime());
  // One list may reach further than the other where a run differs.
  const until = Math.min(ours.at(-1) ?? 0, others.at(-1) ?? 0);
  const differing = [
    ...ours.filter((one) => one <= until && !others.includes(one)),
    ...others.filter((one) => one <= until && !ours.includes(one)),
  ];
  const faults = differing.filter((one) => !isJustified(one, zone));
  return { runs: ours.length, faults, justified: differing.length - faults.length };
};
