/** Rounds to a table with the bars that the gateway has to reach. Pure. */
import type { FormatTime } from './format-time.js';
import type { HelpTime } from './help-time.js';
import { median } from './percentile.js';
import type { PermissionTime } from './permission-time.js';
import type { Figures, StartFigures } from './round.js';
import type { SearchTime } from './search-time.js';
import type { SessionLengthTime } from './session-length.js';

/** One program beside the other in the same minute. */
export interface PairOf<Measured> {
  readonly floor: Measured;
  readonly gateway: Measured;
}

export type RoundPair = PairOf<Figures>;

export interface Row {
  readonly name: string;
  readonly floor: string;
  readonly gateway: string;
  readonly ratio: string;
  readonly bar: string;
  /** Absent where no bar is set. */
  readonly isReached?: boolean;
}

interface Measure<Measured = Figures> {
  readonly name: string;
  readonly figure: keyof Measured;
  readonly unit: string;
  readonly digits: number;
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
}

const measures: readonly Measure[] = [
  { name: 'latency p50', figure: 'p50Ms', unit: 'ms', digits: 1, bar: { atMost: 1.5 } },
  { name: 'latency p99', figure: 'p99Ms', unit: 'ms', digits: 1, bar: { atMost: 2 } },
  { name: 'burst', figure: 'burstRate', unit: 'msg/s', digits: 0, bar: { atLeast: 0.8 } },
  { name: 'memory idle', figure: 'idleMiB', unit: 'MiB', digits: 1, bar: { atMost: 1.4 } },
  { name: 'memory after load', figure: 'loadedMiB', unit: 'MiB', digits: 1 },
  { name: 'time to ready', figure: 'readyMs', unit: 'ms', digits: 0, bar: { atMost: 1.5 } },
  { name: 'CPU a message', figure: 'cpuPerMessageMs', unit: 'ms', digits: 2 },
];

/** Of the load alone: what a program takes at rest is looked at with both platforms together. */
const loadFigures: ReadonlySet<keyof Figures> = new Set([
  'p50Ms',
  'p99Ms',
  'burstRate',
  'loadedMiB',
  'cpuPerMessageMs',
]);

const togetherMeasures: readonly Measure<StartFigures>[] = [
  { name: 'both, memory idle', figure: 'idleMiB', unit: 'MiB', digits: 1, bar: { atMost: 1.25 } },
  { name: 'both, time to ready', figure: 'readyMs', unit: 'ms', digits: 0, bar: { atMost: 1.5 } },
];

/** A platform's rounds, under its name. */
export const toLoadRows = (platform: string, pairs: readonly RoundPair[]): readonly Row[] =>
  measures
    .filter(({ figure }) => loadFigures.has(figure))
    .map((measure) => toRow({ ...measure, name: `${platform}, ${measure.name}` }, pairs));

/** Both platforms in one process, beside both floors in one. */
export const toTogetherRows = (pairs: readonly PairOf<StartFigures>[]): readonly Row[] =>
  togetherMeasures.map((measure) => toRow(measure, pairs));

const MAX_HELP_MORE_MS = 120;
const MAX_FORMAT_MS = 5;

/** A turn of the longest conversation, beside one of the shortest. */
const MAX_LENGTH_RATIO = 1.25;
/** CPU of one decision, with the registry and the grants. */
const MAX_DECISION_US = 50;
const MAX_SEARCH_MS = 20;

/** What is measured of the gateway alone. */
export interface OwnFigures {
  readonly help: HelpTime;
  readonly format: FormatTime;
  /** The shortest first. */
  readonly lengths: readonly SessionLengthTime[];
  readonly search: SearchTime;
  readonly permission: PermissionTime;
}

/** Figures are medians over the rounds; ratios are medians of the pairs' ratios. */
export function toRows(
  pairs: readonly RoundPair[],
  { help, format, lengths, search, permission }: OwnFigures,
): readonly Row[] {
  return [
    ...measures.map((measure) => toRow(measure, pairs)),
    helpRow(help),
    formatRow(format),
    ...lengths.map((length) => lengthRow(length, lengths)),
    searchRow(search),
    permissionRow(permission),
  ];
}

/** Only the longest has a bar: the others show that nothing grows on the way. */
function lengthRow({ length, p50Ms, sent }: SessionLengthTime, all: readonly SessionLengthTime[]): Row {
  const ratio = p50Ms / (all[0]?.p50Ms ?? Number.NaN);
  const row = {
    name: `turn after ${length}`,
    floor: '',
    gateway: `${p50Ms.toFixed(1)} ms`,
    ratio: `${ratio.toFixed(2)}× (${sent} messages sent)`,
  };
  if (length !== all.at(-1)?.length) return { ...row, bar: '' };
  return { ...row, bar: `≤ ${MAX_LENGTH_RATIO}×`, isReached: ratio <= MAX_LENGTH_RATIO };
}

function searchRow({ messages, p50Ms, p99Ms }: SearchTime): Row {
  return {
    name: 'search p50',
    floor: '',
    gateway: `${p50Ms.toFixed(1)} ms`,
    ratio: `(p99 ${p99Ms.toFixed(1)} ms, ${messages} messages)`,
    bar: `≤ ${MAX_SEARCH_MS} ms`,
    isReached: p50Ms <= MAX_SEARCH_MS,
  };
}

function permissionRow({ decisionUs, pending, requestUs }: PermissionTime): Row {
  return {
    name: 'permission of a call',
    floor: '',
    gateway: `${decisionUs.toFixed(1)} µs`,
    ratio: `(${pending} requests open: ${requestUs.toFixed(0)} µs each)`,
    bar: `≤ ${MAX_DECISION_US} µs`,
    isReached: decisionUs <= MAX_DECISION_US,
  };
}

function toRow<Measured extends Readonly<Record<keyof Measured, number>>>(
  { name, figure, unit, digits, bar }: Measure<Measured>,
  pairs: readonly PairOf<Measured>[],
): Row {
  const ratio = median(pairs.map(({ floor, gateway }) => gateway[figure] / floor[figure]));
  const show = (side: keyof PairOf<Measured>): string =>
    `${median(pairs.map((pair) => pair[side][figure])).toFixed(digits)} ${unit}`;
  const row = { name, floor: show('floor'), gateway: show('gateway'), ratio: `${ratio.toFixed(2)}×` };
  if (bar === undefined) return { ...row, bar: '' };
  if ('atMost' in bar) return { ...row, bar: `≤ ${bar.atMost}×`, isReached: ratio <= bar.atMost };
  return { ...row, bar: `≥ ${bar.atLeast}×`, isReached: ratio >= bar.atLeast };
}

function helpRow({ helpMs, emptyMs, moreMs }: HelpTime): Row {
  return {
    name: '--help, node -e 0',
    floor: `${emptyMs.toFixed(0)} ms`,
    gateway: `${helpMs.toFixed(0)} ms`,
    ratio: `+${moreMs.toFixed(0)} ms`,
    bar: `≤ +${MAX_HELP_MORE_MS} ms`,
    isReached: moreMs <= MAX_HELP_MORE_MS,
  };
}

function formatRow({ medianMs, firstMs, messages }: FormatTime): Row {
  return {
    name: 'format 140 lines',
    floor: '',
    gateway: `${medianMs.toFixed(2)} ms`,
    ratio: `(first ${firstMs.toFixed(0)} ms, ${messages} messages)`,
    bar: `≤ ${MAX_FORMAT_MS} ms`,
    isReached: medianMs <= MAX_FORMAT_MS,
  };
}

/** Lines of equal columns, headed. */
export function toTable(rows: readonly Row[]): string {
  const head: readonly string[] = ['', 'floor', 'gateway', 'ratio', 'bar', ''];
  const cells = rows.map(({ name, floor, gateway, ratio, bar, isReached }): readonly string[] => [
    name,
    floor,
    gateway,
    ratio,
    bar,
    isReached === undefined ? '' : isReached ? 'OK' : 'MISSED',
  ]);
  const lines = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
