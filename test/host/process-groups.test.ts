import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createProcessPort } from '../../src/host/process-groups.js';
import { createSystemClock } from '../../src/host/system-clock.js';
import { ManualClock } from '../fakes/manual-clock.js';

const request = (script: string, changes: { readonly maxOutputBytes?: number } = {}) => ({
  command: '/bin/sh',
  args: ['-c', script],
  cwd: tmpdir(),
  timeoutMs: 30_000,
  maxOutputBytes: 100_000,
  ...changes,
});

const run = (script: string, changes: { readonly maxOutputBytes?: number } = {}) =>
  createProcessPort({ clock: createSystemClock() }).run(request(script, changes), {
    signal: new AbortController().signal,
  });

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Processes on this host whose command line has the mark. */
const livingWith = (mark: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
      } catch {
        return false;
      }
    });

/** Resolves once such a process lives, or none does any more. */
const untilAlive = async (mark: string, isWanted: boolean): Promise<void> => {
  while (livingWith(mark).length > 0 !== isWanted) await new Promise((resolve) => setImmediate(resolve));
};

describe('a program', () => {
  test('is run to its end, and its output and exit code are kept', async () => {
    const result = await run('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ ending: 'exited', exitCode: 3 });
    expect([textOf(result.stdout), textOf(result.stderr)]).toEqual(['out\n', 'err\n']);
  });

  test('sees an environment that was made for it, and nothing of ours', async () => {
    expect(process.env['HOME']).toBeDefined();
    const { stdout } = await run('env');
    const names = textOf(stdout).match(/^\w+(?==)/gm) ?? [];
    expect(names.filter((name) => !['PATH', 'LANG', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual(
      [],
    );
  });

  test('reads nothing: its input is empty', async () => {
    expect(textOf((await run('cat; echo end')).stdout)).toBe('end\n');
  });

  test('that cannot be started is an error that names it', async () => {
    const port = createProcessPort({ clock: createSystemClock() });
    const missing = { ...request(''), command: '/nowhere/program' };
    await expect(port.run(missing, { signal: new AbortController().signal })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('/nowhere/program cannot be started (ENOENT)'),
    });
  });

  test('that ends by a signal of somebody else is told as killed', async () => {
    expect((await run('kill -9 $$')).ending).toBe('killed');
  });

  test('that says too much is ended, and what was kept is as long as was allowed', async () => {
    const { ending, stdout } = await run('yes', { maxOutputBytes: 5000 });
    expect(ending).toBe('too-much-output');
    expect(stdout).toHaveLength(5000);
  });
});

describe.runIf(process.platform === 'linux')('a group of programs', () => {
  test('is ended when its time is over, also one that does not listen', async () => {
    const clock = new ManualClock();
    const running = createProcessPort({ clock }).run(
      request('trap "" TERM; sleep 0.01; sleep 98761 & while :; do sleep 98761; done'),
      { signal: new AbortController().signal },
    );
    await untilAlive('sleep\u000098761', true);
    await clock.advance(30_000);
    await clock.advance(2_000);
    expect((await running).ending).toBe('timed-out');
    await untilAlive('sleep\u000098761', false);
  });

  test('is ended by an abort, whose reason comes through', async () => {
    const stop = new AbortController();
    const running = createProcessPort({ clock: new ManualClock() }).run(
      request('sleep 98762 & sleep 98762'),
      { signal: stop.signal },
    );
    const reason = new Error('stopped');
    await untilAlive('sleep\u000098762', true);
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await untilAlive('sleep\u000098762', false);
  });

  test('leaves nothing behind when its first program ends', async () => {
    expect(await run('sleep 98763 & echo done')).toMatchObject({ ending: 'exited', exitCode: 0 });
    await untilAlive('sleep\u000098763', false);
  });

  test('is not begun for a signal that has aborted', async () => {
    const reason = new Error('too late');
    const port = createProcessPort({ clock: new ManualClock() });
    await expect(port.run(request('true'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
