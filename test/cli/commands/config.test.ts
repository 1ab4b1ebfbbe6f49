import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../src/cli/commands/config.js';
import { FakeEdge } from '../fake-edge.js';

const edgeWith = (yaml: string): FakeEdge => {
  const edge = new FakeEdge();
  writeFileSync(join(edge.home, 'config.yaml'), yaml);
  return edge;
};

test('check does not call settings fine that hold a slip', async () => {
  const edge = edgeWith('modle: {}\n');
  expect(await run(['check'], edge)).toBe(0);
  expect(edge.out).toBe(`The settings in ${edge.home} can be used, but see the warnings above.\n`);
  expect(edge.err).toBe('Warning: modle: unknown key, ignored. Did you mean model?\n');
});

test.each([
  [
    'log: {level: debug}\nmodle: {}\n',
    0,
    { ok: true, problems: [], warnings: [expect.stringContaining('modle')] },
  ],
  [
    'log: {level: loud}\n',
    78,
    { ok: false, problems: [expect.objectContaining({ path: 'log.level' })], warnings: [] },
  ],
])('check --json of %j is for programs', async (yaml, code, answer) => {
  const edge = edgeWith(yaml);
  expect(await run(['check', '--json'], edge)).toBe(code);
  expect(JSON.parse(edge.out)).toEqual(answer);
  expect(edge.err).toBe('');
});

test.each([[[]], [['--json']]])('show %j prints what is in effect, without secrets', async (options) => {
  const edge = edgeWith('model: {api_key: sk-hidden-0123456789}\nagent: {max_iterations: 7}\n');
  expect(await run(['show', ...options], edge)).toBe(0);
  const shown = options.length > 0 ? JSON.parse(edge.out) : parse(edge.out);
  expect(shown).toMatchObject({
    model: { api_key: '***' },
    agent: { max_iterations: 7, context_tokens: 128_000 },
    platforms: { web: { port: 8642 } },
  });
  expect(edge.out).not.toContain('hidden');
});

test('path prints where the file is looked for', async () => {
  const edge = new FakeEdge();
  expect(await run(['path'], edge)).toBe(0);
  expect(edge.out).toBe(`${join(edge.home, 'config.yaml')}\n`);
});

test('schema prints a JSON Schema', async () => {
  const edge = new FakeEdge();
  expect(await run(['schema'], edge)).toBe(0);
  expect(JSON.parse(edge.out)).toMatchObject({
    type: 'object',
    properties: { platforms: { type: 'object' } },
  });
});

describe('check warns', () => {
  const token = '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const words = (edge: FakeEdge): string => edge.err.replace(/\s+/gu, ' ');

  test.each([
    ['pair', 'it answers with your id, for TELEGRAM_ALLOWED_USERS (or platforms.telegram.allowed_users)'],
    ['ignore', 'List user ids of Telegram in TELEGRAM_ALLOWED_USERS'],
  ])('of a bot that lists nobody (%s)', async (strangers, advice) => {
    const edge = edgeWith(`unauthorized_dm: ${strangers}\nplatforms: {telegram: {token: '${token}'}}\n`);
    expect(await run(['check'], edge)).toBe(0);
    expect(words(edge)).toContain(advice);
    expect(edge.out).toContain('see the warnings above');
    expect(Math.max(...edge.err.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test.each([
    '{telegram: {allowed_users: ["1"]}}',
    '{telegram: {allowed_chats: ["-1"]}}',
    '{telegram: {enabled: false}}',
  ])('not with %s', async (platforms) => {
    const edge = new FakeEdge({ environment: { TELEGRAM_BOT_TOKEN: token } });
    writeFileSync(join(edge.home, 'config.yaml'), `platforms: ${platforms}\n`);
    expect(await run(['check'], edge)).toBe(0);
    expect(edge.err).toBe('');
  });

  test('of secrets that others may read', async () => {
    const edge = edgeWith('{}\n');
    const file = join(edge.home, '.env');
    writeFileSync(file, 'OTHER=1\n');
    chmodSync(file, 0o644);
    await run(['check'], edge);
    expect(words(edge)).toContain(`Run \`chmod 600 ${file}\``);
    chmodSync(file, 0o600);
    const closed = new FakeEdge({ home: edge.home });
    await run(['check'], closed);
    expect(closed.err).toBe('');
  });
});
