import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.js';
import { runCommandLine } from '../../src/cli/run.js';
import { FakeEdge } from './fake-edge.js';

const run = async (args: readonly string[], edge = new FakeEdge()) => {
  const code = await runCommandLine(args, edge);
  return { code, out: edge.out, err: edge.err };
};

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists every command on stdout', async (...args) => {
    const { code, out, err } = await run(args);
    expect(code).toBe(0);
    expect(err).toBe('');
    for (const { name, summary } of commandTable)
      expect(out).toMatch(new RegExp(`^ +${name} +${summary}$`, 'mu'));
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(commandTable.map(({ name }) => name))('%s has help of its own', async (name) => {
    const byWord = await run(['help', name]);
    const byOption = await run([name, '--help']);
    expect(byWord).toEqual(byOption);
    expect(byWord).toMatchObject({ code: 0, err: '' });
    expect(byWord.out).toContain(`Usage: hermes ${name}`);
    expect(byWord.out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('without a command it goes to stderr and is wrong usage', async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Usage: hermes COMMAND');
  });
});

test.each(['--version', '-V'])('%s prints the version alone', async (option) => {
  expect(await run([option])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
});

test.each([
  [['statsu'], 'Did you mean `hermes status`?'],
  [['help', 'gatway'], 'Did you mean `hermes gateway`?'],
  [['frobnicate'], '`hermes --help` lists them.'],
])('%j is no command', async (args, hint) => {
  const { code, out, err } = await run(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(hint);
});

test.each([
  [['gateway', 'now']],
  [['gateway', '--port', '1']],
  [['status', '--yaml']],
  [['config']],
  [['config', 'shwo']],
  [['config', 'check', 'it']],
])('%j is wrong usage', async (args) => {
  const { code, out, err } = await run(args);
  expect([code, out]).toEqual([2, '']);
  expect(err.replace(/\s+/gu, ' ')).toContain(`See \`hermes help ${args[0]}\``);
});

test('a mistake of ours is told with its stack, free of what looks like a secret', async () => {
  const edge = new FakeEdge();
  const broken = {
    ...edge.stdout,
    write: () => {
      throw new Error('broken by sk-abcdefghijklmnopqrstuv');
    },
  };
  const code = await runCommandLine(['config', 'path'], {
    environment: edge.environment,
    version: edge.version,
    program: edge.program,
    pid: edge.pid,
    stdout: broken,
    stderr: edge.stderr,
    stdin: edge.stdin,
    watchStop: edge.watchStop,
    onReload: edge.onReload,
    onCrash: edge.onCrash,
  });
  expect(code).toBe(1);
  expect(edge.err).toContain('broken by ***');
  expect(edge.err).toContain('run.test.ts');
});

describe('settings that cannot be used', () => {
  const yaml = 'model: {provder: openai}\nlog: {level: loud}\nagent: {max_iterations: 0}\n';

  test.each([['gateway'], ['config check'], ['config show'], ['send --to web:main hello']])(
    'hermes %s tells all of them at once and exits 78',
    async (line) => {
      const edge = new FakeEdge();
      writeFileSync(join(edge.home, 'config.yaml'), yaml);
      const { code, out, err } = await run(line.split(' '), edge);
      expect([code, out]).toEqual([78, '']);
      expect(err).toContain('Did you mean model.provider?');
      expect(err).toContain('There are 2 problems with the settings:');
      expect(err).toContain(
        'log.level: expected one of debug, info, warn, error, got "loud".\n    Write `level: info`.',
      );
      expect(err).toContain('agent.max_iterations: expected a number of at least 1, got 0.');
    },
  );
});
