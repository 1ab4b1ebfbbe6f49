import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from './cruise.js';
import { functionSpans } from './long-functions.js';
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

const MAX_FUNCTION_LINES = 60;

/** Longer than a screen, and why that reads well all the same. */
const longFunctions: Readonly<Record<string, string>> = {
  'src/gateway/gateway.ts createGateway': 'wires the kernel: each statement hands one part to the next',
  'src/gateway/messaging.ts createMessaging': 'closures over one dispatcher',
  'src/gateway/sessions/sessions.ts createSessions':
    'wires mailboxes, router and notices, which know each other',
  'src/gateway/media/attach.ts createAttach': 'closures over one set of ports',
  'src/adapters/discord/client.ts createClient': 'closures over one client',
  'src/adapters/discord/send.ts createSender': 'closures over one client',
  'src/adapters/discord/transport.ts createHttpTransport': 'closures over the limits of one bot',
  'src/adapters/telegram/send-files.ts createFileSender': 'closures over one client',
  'src/adapters/telegram/send.ts createSender': 'closures over one client',
  'src/adapters/whatsapp/send.ts createSender': 'closures over one connection',
  'src/adapters/kit/http-exchange.ts exchange': 'one exchange: its callbacks share the state of one request',
  'src/adapters/kit/http-exchange.ts a function without a name': 'the body of that exchange',
  'src/agent/providers/openai-chat.ts createOpenAiChatProvider': 'closures over one client',
  'src/cron/index.ts createCron': 'wires the room: each statement hands one part to the next',
  'src/cron/jobs.ts createJobs': 'closures over one store',
  'src/cron/job-draft.ts draftJob': 'one job put together from what is asked for and what was before',
  'src/store/memory/memory-archive.ts createMemoryArchive':
    'one store: a closure for each method of its port',
  'src/store/memory/memory-outbox.ts createMemoryOutbox': 'one store: a closure for each method of its port',
  'src/store/memory/memory-turns.ts createMemoryTurns': 'one store: a closure for each method of its port',
  'src/store/sqlite/sqlite-archive.ts createSqliteArchive':
    'one store: a closure for each method of its port',
  'src/store/sqlite/sqlite-outbox.ts createSqliteOutbox': 'one store: a closure for each method of its port',
  'src/store/sqlite/sqlite-turns.ts createSqliteTurns': 'one store: a closure for each method of its port',
};

const spans = sourceFiles('src').flatMap((path) =>
  functionSpans(readFileSync(join(projectRoot, path), 'utf8')).map(({ name, lines }) => ({
    place: `${path} ${name}`,
    lines,
  })),
);

describe('functions', () => {
  test(`none is over ${MAX_FUNCTION_LINES} lines but those listed with a reason`, () => {
    const long = spans.filter(({ lines }) => lines > MAX_FUNCTION_LINES).map(({ place }) => place);
    expect(long.filter((place) => longFunctions[place] === undefined)).toEqual([]);
  });

  test('the list names only functions that there are, each with a reason', () => {
    const places = new Set(spans.map(({ place }) => place));
    expect(Object.keys(longFunctions).filter((place) => !places.has(place))).toEqual([]);
    expect(Object.values(longFunctions).every((reason) => reason.length > 10)).toBe(true);
  });

  test('a break is noticed', () => {
    const body = '\n  work();'.repeat(MAX_FUNCTION_LINES - 1);
    const text = `const fits = () => {${body}\n};\nclass A {\n  tooLong() {${body}\n\n  }\n}`;
    expect(functionSpans(text)).toEqual([
      { name: 'fits', lines: MAX_FUNCTION_LINES + 1 },
      { name: 'tooLong', lines: MAX_FUNCTION_LINES + 2 },
    ]);
  });
});
