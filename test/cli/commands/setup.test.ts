import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/setup.js';
import { createWorld } from '../../flows/world.js';
import { FakeEdge } from '../fake-edge.js';

const yaml = (edge: FakeEdge): string => readFileSync(join(edge.home, 'config.yaml'), 'utf8');
const env = (edge: FakeEdge): string => readFileSync(join(edge.home, '.env'), 'utf8');

/** A home whose settings know where the emulators are, and nothing else. */
const someScene = async () => {
  const world = await createWorld({ isStarted: false });
  const edge = (answers: readonly string[], environment = {}) => {
    const made = new FakeEdge({ line: answers.join('\n'), environment });
    writeFileSync(
      join(made.home, 'config.yaml'),
      `# mine\nplatforms:\n  telegram: {api_root: '${world.telegram.apiRoot}'} # the emulator\n  web: {port: 0}\n`,
    );
    writeFileSync(join(made.home, '.env'), '# secrets\nOTHER=1\n', { mode: 0o600 });
    return made;
  };
  return { world, edge };
};

test('a model and a platform are tried live, then written beside what was there', async () => {
  const { world, edge: edgeWith } = await someScene();
  const { baseUrl, key } = world.model;
  const { token } = world.telegram;
  const edge = edgeWith(['2', baseUrl, 'test-model', key, 'y', token, '1001', 'n', 'y']);
  expect(await run([], edge)).toBe(0);
  expect(edge.err).toContain('✓ test-model answers.');
  expect(edge.err).toMatch(/✓ It is good: @\w+/u);
  expect(edge.out).toBe('');
  expect(yaml(edge)).toBe(
    `# mine\nplatforms:\n  telegram: {api_root: '${world.telegram.apiRoot}'} # the emulator\n  web: {port: 0}\n` +
      `model:\n  provider: openai\n  default: test-model\n  base_url: ${baseUrl}\n`,
  );
  expect(env(edge)).toBe(
    `# secrets\nOTHER=1\nOPENAI_API_KEY=${key}\nTELEGRAM_BOT_TOKEN=${token}\nTELEGRAM_ALLOWED_USERS=1001\n`,
  );
  expect(statSync(join(edge.home, '.env')).mode & 0o777).toBe(0o600);
});

test('a token that is refused is asked for again, and can be left away', async () => {
  const { edge: edgeWith } = await someScene();
  const edge = edgeWith(['3', 'y', 'no-token', '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '3', 'n']);
  const before = [yaml(edge), env(edge)];
  expect(await run([], edge)).toBe(0);
  expect(edge.err.replace(/\s+/gu, ' ')).toContain('Expected a bot token like 123456:ABC-DEF');
  expect(edge.err.replace(/\s+/gu, ' ')).toContain('Telegram does not know this bot token');
  expect(edge.err).toContain('Nothing changes.');
  expect([yaml(edge), env(edge)]).toEqual(before);
});

test('nothing is written without a yes', async () => {
  const { world, edge: edgeWith } = await someScene();
  const edge = edgeWith(['3', 'y', world.telegram.token, '', 'n', 'n']);
  const before = [yaml(edge), env(edge)];
  expect(await run([], edge)).toBe(1);
  expect(edge.err).toContain('TELEGRAM_BOT_TOKEN is added');
  expect(edge.err).not.toContain(world.telegram.token);
  expect([yaml(edge), env(edge)]).toEqual(before);
});

test('what is set up already is kept unless it is to change', async () => {
  const world = await createWorld({ isStarted: false });
  const edge = new FakeEdge({ home: world.home, line: ['', '', ''].join('\n') });
  const before = yaml(edge);
  expect(await run([], edge)).toBe(0);
  expect(edge.err).toContain('Keep it?');
  expect(edge.err).toContain('Telegram is set up. Change it?');
  expect(yaml(edge)).toBe(before);
  expect(existsSync(join(edge.home, '.env'))).toBe(false);
});

test('a variable of the environment that wins over what is written is told', async () => {
  const { world, edge: edgeWith } = await someScene();
  const answers = ['3', 'y', world.telegram.token, '1001', 'n', 'y'];
  const edge = edgeWith(answers, { TELEGRAM_ALLOWED_USERS: '7' });
  expect(await run([], edge)).toBe(0);
  expect(edge.err.replace(/\s+/gu, ' ')).toContain('TELEGRAM_ALLOWED_USERS is set in the environment');
});

test('without a terminal it says what to write instead', async () => {
  const edge = new FakeEdge({ stdin: '' });
  await expect(run([], edge)).rejects.toThrow(/needs a terminal.*\.env.*config\.yaml/u);
});

test('an input that has ended asks no question for ever', async () => {
  const edge = new FakeEdge({ line: '2' });
  await expect(run([], edge)).rejects.toThrow('Nothing was written');
});
