import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from './cruise.js';
import { sourceFiles } from './source-files.js';

interface Habit {
  readonly name: string;
  readonly pattern: RegExp;
  /** Paths on which the pattern is forbidden. */
  readonly where: RegExp;
  /** Lines that break the habit, to see that the pattern finds them. */
  readonly broken: readonly string[];
}

const habits: readonly Habit[] = [
  {
    name: 'no module is mocked: what a test must replace is injected',
    pattern: /\bvi\.(mock|doMock|unmock|doUnmock|importMock)\b/,
    where: /^test\//,
    broken: ["vi.mock('node:fs');", "vi.doMock('grammy');"],
  },
  {
    name: 'no test runs alone or is left out',
    pattern: /\b(test|it|describe|suite)(\.concurrent|\.sequential)?\.(only|skip|todo|fails)\b/,
    where: /^test\//,
    broken: ["test.only('x')", "describe.skip('x')", "it.concurrent.skip('x')"],
  },
  {
    name: 'no test sleeps: it waits for an event or moves the clock',
    pattern: /=>\s*\{?\s*(return\s+|void\s+)?setTimeout\(\s*\w+\s*,|timers\/promises/,
    // What stands in for a slow far side may take its time.
    where: /^test\/(?!emulators\/|bench\/|soak\/)/,
    broken: [
      'await new Promise((done) => setTimeout(done, 5));',
      "import { setTimeout } from 'node:timers/promises';",
    ],
  },
  {
    name: 'no compiler complaint is silenced',
    pattern: /@ts-(ignore|nocheck)\b/,
    where: /^(src|test)\//,
    broken: ['// @ts-ignore'],
  },
  {
    name: 'no lint rule is silenced without a reason',
    pattern: /biome-ignore\S*\s+[\w/]+\s*:?\s*(\*\/)?$/,
    where: /^(src|test)\//,
    broken: ['// biome-ignore lint/suspicious/noConsole', '// biome-ignore lint/suspicious/noConsole:'],
  },
  {
    name: 'no work is left as a note in the code',
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
    where: /^(src|test)\//,
    broken: ['// TODO: later', '// FIXME'],
  },
];

const self = 'test/architecture/habits.test.ts';
const files = [...sourceFiles('src'), ...sourceFiles('test')].filter((path) => path !== self);

function placesOf({ pattern, where }: Habit): string[] {
  return files
    .filter((path) => where.test(path))
    .flatMap((path) =>
      readFileSync(join(projectRoot, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
}

describe('habits', () => {
  test.each(habits)('$name', (habit) => {
    expect(placesOf(habit)).toEqual([]);
  });

  test.each(habits)('a break is noticed: $name', ({ pattern, where, broken }) => {
    for (const line of broken) expect(line).toMatch(pattern);
    expect(files.some((path) => where.test(path))).toBe(true);
  });
});
