import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandBackend, CommandOwner, CommandRequest } from '../../../src/core/commands.js';
import { toCorrelationId, toSessionId, toUserId } from '../../../src/core/ids.js';
import { createSystemClock } from '../../../src/host/system-clock.js';
import { createCommandService, type HostCommands } from '../../../src/host/terminal/command-service.js';
import { anOrigin } from '../../fakes/builders.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';

const owner: CommandOwner = {
  session: toSessionId('s1'),
  caller: { origin: anOrigin(), user: toUserId('u1'), isOwner: true },
  correlation: toCorrelationId('corr-1'),
};

let base: string;
let workspace: string;
let said: { readonly text: string; readonly key: string }[];
let commands: HostCommands;

const create = (backend: CommandBackend = { kind: 'local' }): HostCommands =>
  createCommandService({
    settings: {
      commands: { backend, timeoutMs: 60_000 },
      paths: { home: base, cache: join(base, 'cache') },
    },
    workspace: () => workspace,
    clock: createSystemClock(),
    logger: new MemoryLogger(),
    notices: {
      say: async (notice) => {
        if (!said.some(({ key }) => key === notice.key)) said.push(notice);
      },
    },
  });

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-commands-')));
  workspace = join(base, 'workspace');
  mkdirSync(join(workspace, 'sub'), { recursive: true });
  said = [];
  commands = create();
});
afterEach(async () => {
  await commands.close();
  rmSync(base, { recursive: true, force: true });
});

const never = new AbortController().signal;
const run = async (given: string | CommandRequest, signal = never) =>
  commands.run(typeof given === 'string' ? { run: given } : given, owner, { signal });

const isAlive = (pid: number): boolean => {
  try {
    // A zombie that nobody waits for is over too.
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a command', () => {
  test('gives its output, both streams in their order, and its exit code', async () => {
    expect(await run('echo one; echo two >&2; echo three; exit 3')).toMatchObject({
      ending: 'exited',
      exitCode: 3,
      output: { text: 'one\ntwo\nthree\n' },
    });
  });

  test('begins where the last one of its session ended, never outside the workspace', async () => {
    expect((await run('cd sub')).folder).toBe(join(workspace, 'sub'));
    expect((await run('pwd')).output.text).toBe(`${join(workspace, 'sub')}\n`);
    expect((await run('cd /')).folder).toBe(workspace);
    await expect(run({ run: 'pwd', cwd: '/etc' })).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('has nothing of the gateway in its environment', async () => {
    process.env['HERMES_TEST_SECRET'] = 'hidden-words';
    const { output } = await run('env; cat /proc/self/environ');
    delete process.env['HERMES_TEST_SECRET'];
    expect(output.text).not.toContain('hidden-words');
    expect(output.text).toContain('PATH=');
  });

  test('has a terminal where it is asked for', async () => {
    expect((await run('test -t 1 && echo yes || echo no')).output.text).toBe('no\n');
    expect((await run({ run: 'test -t 1 && echo yes || echo no', pty: true })).output.text.trim()).toBe(
      'yes',
    );
  });

  test('that prints without end keeps beginning and end, in flat memory', async () => {
    const before = process.memoryUsage().rss;
    const { output } = await run('echo first; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(output.text.startsWith('first\n')).toBe(true);
    expect(output.text.trimEnd().endsWith('last')).toBe(true);
    expect(output.text.length).toBeLessThan(51_000);
    expect(statSync(output.file ?? '').size).toBe(50 * 1024 * 1024);
  });
});

describe('what does not end by itself', () => {
  test('is ended at its time limit, with children that left the group', async () => {
    const { ending, output } = await run({
      run: 'setsid sleep 300 & echo $!; trap "" TERM; sleep 300',
      timeoutMs: 300,
    });
    expect(ending).toBe('timed-out');
    expect(isAlive(Number(output.text.trim().split('\n')[0]))).toBe(false);
  });

  test('is ended with the command that started it', async () => {
    const { output } = await run('(setsid sleep 300 >/dev/null 2>&1 & echo $!)');
    expect(isAlive(Number(output.text.trim()))).toBe(false);
  });

  test('is ended when the turn is stopped', async () => {
    const stopping = new AbortController();
    const running = run('echo $$ > pid; sleep 300', stopping.signal);
    await expect.poll(() => existsSync(join(workspace, 'pid'))).toBe(true);
    stopping.abort(new Error('stopped by the user'));
    await expect(running).rejects.toThrow('stopped by the user');
    expect(isAlive(Number(readFileSync(join(workspace, 'pid'), 'utf8')))).toBe(false);
  });
});

describe('a command in the background', () => {
  test('is told in the chat when it ends', async () => {
    const { id } = await commands.start({ run: 'echo built; exit 2' }, owner);
    await expect
      .poll(() => said.map(({ text }) => text))
      .toEqual([
        expect.stringMatching(/^⚙️ Process p-\w+ \(`echo built; exit 2`\) failed with exit code 2.*built/su),
      ]);
    expect(commands.find(owner.session, id)?.end).toMatchObject({ ending: 'exited', exitCode: 2 });
    expect(commands.find(toSessionId('other'), id)).toBeUndefined();
  });

  test('reads what is typed, is waited for, and is ended without a notice', async () => {
    const { id } = await commands.start({ run: 'read line; echo "got $line"' }, owner);
    expect(commands.write(owner.session, id, 'hello\n')).toBe(true);
    await commands.wait(owner.session, id, { timeoutMs: 10_000, signal: never });
    expect(commands.output(owner.session, id)?.text).toBe('got hello\n');
    const other = await commands.start({ run: 'sleep 300' }, owner);
    await commands.kill(owner.session, other.id);
    expect(commands.find(owner.session, other.id)?.end?.ending).toBe('stopped');
    expect(said).toHaveLength(1);
  });

  test('that a restart of the gateway ended is told once by the next life', async () => {
    const { id } = await commands.start({ run: 'sleep 300' }, owner);
    await commands.close();
    expect(said).toEqual([]);
    for (let life = 0; life < 2; life += 1) await create().recover();
    expect(said.map(({ text }) => text)).toEqual([expect.stringContaining(`Process ${id}`)]);
  });
});

test('a script runs in a folder of its own, which is gone afterwards', async () => {
  const { output } = await run({
    run: ['python3'],
    script: { fileName: 'main.py', text: 'import os; print(os.getcwd()); print(6 * 7)' },
  });
  const [folder = '', answer] = output.text.split('\n');
  expect(answer).toBe('42');
  expect(existsSync(folder)).toBe(false);
});

test('under bubblewrap a command sees the workspace and nothing of the home', async () => {
  commands = create({ kind: 'bubblewrap', hasNetwork: false });
  const { output } = await run(`echo made > a.txt; pwd; ls ${base}; cat ${base}/processes.json`);
  expect(output.text.split('\n').slice(0, 2)).toEqual([workspace, 'workspace']);
  expect(output.text).toContain('No such file');
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('made\n');
});
