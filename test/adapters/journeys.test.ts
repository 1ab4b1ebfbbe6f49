import { expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { toChatId } from '../../src/core/ids.js';
import type { PlatformAdapter } from '../../src/core/platform.js';
import type { PlatformDefinition } from '../../src/core/platform-definition.js';
import { createMemoryStores } from '../../src/store/index.js';
import { createCountingIds } from '../fakes/counting-ids.js';
import { someGatewayServices } from '../fakes/gateway-services.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { createMemoryMedia } from '../fakes/memory-media.js';
import { createMemoryNotes } from './adapter-bed.js';

/** What a section needs to be one that is on. */
const tokens: Readonly<Record<string, string>> = {
  telegram: '123456:TEST-0123456789abcdefghij',
  discord: `${Buffer.from('900000000000000001').toString('base64url')}.TEST12.0123456789`,
};

const create = (definition: PlatformDefinition): Promise<PlatformAdapter> => {
  const token = tokens[definition.id];
  return definition.create(definition.section.parse(token === undefined ? {} : { token }), {
    clock: new ManualClock(),
    ids: createCountingIds(),
    logger: new MemoryLogger(),
    redact: (text) => text,
    notes: createMemoryNotes(),
    media: createMemoryMedia(),
    services: someGatewayServices(),
    pageLog: createMemoryStores().pageLog,
    folder: '/nowhere',
  });
};

const units = { utf16: 'UTF-16 units', 'code-points': 'characters', bytes: 'bytes' } as const;

interface Journey {
  readonly name: string;
  /** How a platform has it, or what is done where it has not. */
  readonly of: (adapter: PlatformAdapter) => string;
}

const orElse =
  (facet: keyof PlatformAdapter, otherwise: string) =>
  (adapter: PlatformAdapter): string =>
    adapter[facet] === undefined ? otherwise : 'native';

const journeys: readonly Journey[] = [
  {
    name: 'formatted text',
    of: ({ support, platform, account }) => support({ platform, account, chat: toChatId('1') }).text.level,
  },
  {
    name: 'longest message',
    of: ({ support, platform, account }) => {
      const { maxLength, unit } = support({ platform, account, chat: toChatId('1') }).text;
      return Number.isFinite(maxLength) && maxLength < Number.MAX_SAFE_INTEGER
        ? `${maxLength} ${units[unit]}; more is split`
        : 'any';
    },
  },
  {
    name: 'a repeated send',
    of: ({ idempotentSend }) => (idempotentSend ? 'native: shown once' : 'fallback: marked'),
  },
  {
    name: 'growing answer',
    of: (adapter) =>
      adapter.progress === undefined ? orElse('preview', 'fallback: whole at its end')(adapter) : 'native',
  },
  {
    name: 'changed message',
    of: orElse('editing', 'fallback: a new message'),
  },
  {
    name: 'choices',
    of: ({ choices }) =>
      choices === undefined
        ? 'fallback: a numbered list'
        : `native, up to ${choices.maxChoices}; then a list`,
  },
  { name: 'files of people', of: orElse('media', 'native: with the message') },
  { name: 'typing sign', of: orElse('typing', 'dropped') },
  { name: 'reactions', of: orElse('reacting', 'dropped') },
  { name: 'menu of commands', of: orElse('commandMenu', 'fallback: `/help`') },
];

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

test('src/adapters/README.md is up to date (if not: npx vitest run test/adapters/journeys.test.ts -u)', async () => {
  const adapters = await Promise.all(platforms.map(create));
  const head = ['journey', ...platforms.map(({ title }) => title)];
  const rows = journeys.map(({ name, of }) => [name, ...adapters.map(of)]);
  const readme = `# Platforms

One folder each, with the same file names; \`kit/\` is what they share. A folder's README tells how to connect the platform,
and what is peculiar to it. The table is made from what the adapters say of themselves, by
\`test/adapters/journeys.test.ts\`; what _fallback_ and _dropped_ mean is decided once, in \`src/gateway/outbound/\`.

${tableOf(head, rows)}
`;
  await expect(readme).toMatchFileSnapshot('../../src/adapters/README.md');
});
