import { describe, expect, test } from 'vitest';
import { type RoundPair, toRows, toTable } from './report.js';
import type { Figures } from './round.js';

const figures = (changes: Partial<Figures> = {}): Figures => ({
  readyMs: 300,
  idleMiB: 70,
  loadedMiB: 90,
  p50Ms: 6,
  p99Ms: 18,
  burstRate: 200,
  cpuPerMessageMs: 5,
  ...changes,
});

const help = { helpMs: 100, emptyMs: 40, moreMs: 60 };
const format = { firstMs: 30, medianMs: 2, messages: 3 };

const lengths = [
  { length: 10, p50Ms: 4, sent: 20 },
  { length: 5000, p50Ms: 5, sent: 200 },
];
const search = { messages: 1000, p50Ms: 20, p99Ms: 30 };
const permission = { decisionUs: 3, pending: 1000, requestUs: 200 };
const own = { help, format, lengths, search, permission };

const rowsOf = (pairs: readonly RoundPair[]) => toRows(pairs, own);
const rowOf = (name: string, pairs: readonly RoundPair[]) => rowsOf(pairs).find((row) => row.name === name);

describe('toRows', () => {
  test('a ratio is the median of the ratios of the pairs, not the ratio of the medians', () => {
    const pairs = [
      { floor: figures({ p50Ms: 10 }), gateway: figures({ p50Ms: 12 }) },
      { floor: figures({ p50Ms: 20 }), gateway: figures({ p50Ms: 26 }) },
      { floor: figures({ p50Ms: 5 }), gateway: figures({ p50Ms: 20 }) },
    ];
    expect(rowOf('latency p50', pairs)).toMatchObject({
      floor: '10.0 ms',
      gateway: '20.0 ms',
      ratio: '1.30×',
    });
  });

  test('a bar from above is missed by more, a bar from below by less', () => {
    const pair = { floor: figures(), gateway: figures({ p50Ms: 9.1, burstRate: 159 }) };
    expect(rowOf('latency p50', [pair])?.isReached).toBe(false);
    expect(rowOf('burst', [pair])?.isReached).toBe(false);
    const equal = { floor: figures(), gateway: figures({ p50Ms: 9, burstRate: 160 }) };
    expect(rowOf('latency p50', [equal])?.isReached).toBe(true);
    expect(rowOf('burst', [equal])?.isReached).toBe(true);
  });

  test('help and formatting have bars in milliseconds', () => {
    const rows = toRows([{ floor: figures(), gateway: figures() }], {
      ...own,
      help: { ...help, moreMs: 121 },
    });
    expect(rows.find(({ name }) => name.startsWith('--help'))?.isReached).toBe(false);
    expect(rows.find(({ name }) => name.startsWith('format'))?.isReached).toBe(true);
  });
});

describe('a long past', () => {
  const pair = { floor: figures(), gateway: figures() };
  const reached = (changes: Partial<typeof own>) =>
    toRows([pair], { ...own, ...changes })
      .filter(({ name }) => /^(?:turn after|search)/u.test(name))
      .map(({ isReached }) => isReached);

  test('may make a turn a quarter dearer and a search take 20 ms', () => {
    expect(reached({})).toEqual([undefined, true, true]);
  });

  test('may not cost more', () => {
    const slow = { ...search, p50Ms: 20.1 };
    expect(reached({ lengths: lengths.map((one) => ({ ...one, p50Ms: one.sent })), search: slow })).toEqual([
      undefined,
      false,
      false,
    ]);
  });
});

describe('toTable', () => {
  test('lines the columns up and says what was missed', () => {
    const pair = { floor: figures(), gateway: figures({ idleMiB: 140 }) };
    const lines = toTable(rowsOf([pair])).split('\n');
    const column = lines[0]?.indexOf('gateway') ?? -1;
    for (const line of lines.slice(1)) expect(line[column - 1]).toBe(' ');
    expect(lines.filter((line) => line.endsWith('MISSED'))).toEqual([expect.stringMatching(/^memory idle/)]);
  });
});
