import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findScript, runScript, type ScriptResult } from '../../src/cron/script.js';
import { createProcessPort, createSystemClock } from '../../src/host/index.js';

let home = '';
let folder = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-script-'));
  folder = join(home, 'scripts');
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const processes = createProcessPort({ clock: createSystemClock() });

const write = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

const run = (
  name: string,
  timeoutMs = 10_000,
  signal = new AbortController().signal,
): Promise<ScriptResult> =>
  runScript(name, { folder, processes, timeoutMs, redact: (text) => text }, { signal });

/** Whether a process whose command line has this word in it is alive. */
const isAlive = (word: string): boolean => {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    });
};

describe('a script', () => {
  test.each([
    ['a.sh', 'echo "from a shell"'],
    ['a.py', 'print("from a shell")'],
    ['a.js', 'console.log("from a shell")'],
  ])('%s runs with its program', async (name, content) => {
    expect(await run(write(name, content))).toEqual({ output: 'from a shell', isDone: false });
  });

  test('knows nothing of the environment of the gateway', async () => {
    const { output } = await run(write('env.sh', 'env'));
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(
      names.filter((name) => !['PATH', 'LANG', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name ?? '')),
    ).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'that forks leaves nothing behind, and what forked into the background is not waited for',
    async () => {
      const word = `9${process.pid}7`;
      const result = await run(write('fork.sh', `(sleep ${word} &) ; nohup sleep ${word} & echo forked`));
      expect(result).toEqual({ output: 'forked', isDone: false });
      await expect.poll(() => isAlive(`sleep\0${word}`)).toBe(false);
    },
  );

  test.runIf(process.platform === 'linux')(
    'that hangs and ignores the wish to end is ended by force',
    async () => {
      const word = `8${process.pid}7`;
      const result = await run(
        write('hang.sh', `trap '' TERM; echo begun; sleep ${word} & wait; sleep ${word}`),
        300,
      );
      expect(result).toMatchObject({ output: 'begun', error: expect.stringContaining('longer than 0.3 s') });
      expect(isAlive(`sleep\0${word}`)).toBe(false);
    },
  );

  test('that prints 100 MB is ended, and what it printed is cut', async () => {
    const result = await run(write('much.sh', 'head -c 100000000 /dev/zero | tr "\\0" x'));
    expect(result.error).toBe("'much.sh' wrote more than 64 KiB and was ended");
    expect(result.output).toHaveLength(64 * 1024);
  });

  test('that complains by 100 MB is not kept waiting', async () => {
    const result = await run(write('loud.sh', 'head -c 100000000 /dev/zero | tr "\\0" x >&2; exit 4'));
    expect(result.error).toMatch(/exit code 4: x+$/u);
    expect(result.error?.length).toBeLessThan(2_100);
  });

  test('that prints no text has failed, and nothing of it is shown', async () => {
    const result = await run(write('binary.sh', 'printf "PK\\003\\004\\377\\376\\000\\001"'));
    expect(result).toEqual({
      output: '',
      error: "'binary.sh' printed something that is no text (UTF-8)",
      isDone: false,
    });
  });

  test('that exits by itself with an error says so with what it complained of', async () => {
    const result = await run(write('bad.py', 'import sys; print("so far"); sys.exit("no table")'));
    expect(result).toEqual({
      output: 'so far',
      error: "'bad.py' ended with exit code 1: no table",
      isDone: false,
    });
  });

  test('that kills itself has failed', async () => {
    expect((await run(write('dies.sh', 'kill -9 $$'))).error).toBe("'dies.sh' was killed");
  });

  test('that is aborted rejects with the reason, once nothing of it is left', async () => {
    const stop = new AbortController();
    const work = run(write('long.sh', 'sleep 60'), 60_000, stop.signal);
    stop.abort(new Error('the gateway is stopping'));
    await expect(work).rejects.toThrow('the gateway is stopping');
  });

  test.each([
    ['{"wakeAgent": false}', true],
    ['checked\n{"wakeAgent": false}\n\n', true],
    ['{"wakeAgent": false}\nchecked', false],
    ['{"wakeAgent": true}', false],
    ['{"wakeAgent": "false"}', false],
    ['wakeAgent: false', false],
    ['', false],
  ])('that prints %j wakes the agent or not', async (printed, isDone) => {
    write('said.txt', printed);
    expect((await run(write('say.sh', 'cat said.txt'))).isDone).toBe(isDone);
  });

  test('that fails wakes the agent whatever it prints', async () => {
    const result = await run(write('say.sh', `echo '{"wakeAgent": false}'; exit 1`));
    expect(result).toMatchObject({ isDone: false, error: "'say.sh' ended with exit code 1" });
  });
});

describe('a script is found', () => {
  test.each([
    ['run.txt', 'is no script'],
    ['run', 'is no script'],
    ['none.sh', 'There is no script'],
    ['../outside.sh', 'leads out of the scripts folder'],
    ['/etc/passwd.sh', 'There is no script'],
    ['link.sh', 'leads out of the scripts folder'],
    ['folder.sh', 'is not a regular file'],
    ['broken.sh', 'There is no script'],
    ['zero\0.sh', 'There is no script'],
  ])('%j is not: %s', async (name, why) => {
    writeFileSync(join(home, 'outside.sh'), 'echo outside');
    symlinkSync(join(home, 'outside.sh'), join(folder, 'link.sh'));
    symlinkSync(join(home, 'nothing.sh'), join(folder, 'broken.sh'));
    mkdirSync(join(folder, 'folder.sh'));
    expect(await findScript(name, folder)).toEqual({ problem: expect.stringContaining(why) });
    expect(await run(name)).toMatchObject({ output: '', error: expect.stringContaining(why), isDone: false });
  });

  test('in a folder inside, and by a link that stays inside', async () => {
    mkdirSync(join(folder, 'deep'));
    write('deep/a.sh', 'echo deep');
    symlinkSync(join(folder, 'deep', 'a.sh'), join(folder, 'link.sh'));
    expect(await run('deep/a.sh')).toMatchObject({ output: 'deep' });
    expect(await run('link.sh')).toMatchObject({ output: 'deep' });
  });

  test('no more where the folder itself is gone', async () => {
    rmSync(folder, { recursive: true });
    expect(await findScript('a.sh', folder)).toEqual({
      problem: expect.stringContaining('There is no script'),
    });
  });
});
