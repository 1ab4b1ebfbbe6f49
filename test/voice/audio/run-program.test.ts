import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProcessPort, createSystemClock } from '../../../src/host/index.js';
import { createPrograms } from '../../../src/voice/audio/programs.js';
import { createRunProgram } from '../../../src/voice/audio/run-program.js';
import { createScopes } from '../../../src/voice/audio/scope.js';
import { neverAborts, temporaryFolder } from '../voice-bed.js';

const standIn = async (script: string) => {
  const folder = await temporaryFolder();
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  const run = createRunProgram(createProcessPort({ clock: createSystemClock() }), createPrograms([folder]));
  return {
    folder,
    run: (timeoutMs: number, signal = neverAborts) =>
      run({ program: 'ffmpeg', args: [], cwd: folder, timeoutMs }, { signal }),
  };
};

/** Processes whose command line names the folder. */
const left = async (folder: string): Promise<readonly string[]> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const { readFile } = await import('node:fs/promises');
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(folder));
};

describe('a program', () => {
  test('VO-08 that waits for a key gets an empty input and ends', async () => {
    const { run } = await standIn('read key; echo done');
    expect(Buffer.from((await run(5_000)).stdout).toString()).toBe('done\n');
  });

  test('VO-08 that hangs and ignores the wish to end is ended with its children', async () => {
    const { folder, run } = await standIn(`trap '' TERM\nsh -c "trap '' TERM; sleep 60; : $0" &\nsleep 60`);
    await expect(run(100)).rejects.toThrow('ffmpeg was not done after 0 s');
    expect(await left(folder)).toEqual([]);
  });

  test('VO-08 that is aborted is over before the caller goes on', async () => {
    const { folder, run } = await standIn('sleep 60');
    const stop = new AbortController();
    const reason = new Error('stopped');
    const work = run(5_000, stop.signal);
    stop.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(await left(folder)).toEqual([]);
  });

  test('that fails is told with its last words', async () => {
    const { run } = await standIn('echo first >&2; echo last >&2; exit 3');
    await expect(run(5_000)).rejects.toThrow('ffmpeg failed (exit code 3): last');
  });

  test('that finds no room is told as a full disk', async () => {
    const { run } = await standIn('echo "av_write: No space left on device" >&2; exit 1');
    await expect(run(5_000)).rejects.toThrow('the disk is full');
  });

  test('VO-03 that is not there is told with the command that installs it', async () => {
    const programs = createPrograms([await temporaryFolder()]);
    await expect(programs.need('ffmpeg')).rejects.toThrow('`apt-get install ffmpeg`');
  });
});

describe('a scope', () => {
  test('VO-08 leaves nothing behind, whether its work succeeds or fails, and clears what a kill left', async () => {
    const root = join(await temporaryFolder(), 'voice');
    const earlier = createScopes(root);
    await earlier(async (folder) => writeFile(join(folder, 'a'), 'x'));
    await expect(
      earlier(async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(await readdir(root)).toEqual([]);
    await writeFile(join(root, 'left by a kill'), 'x');
    await createScopes(root)(async () => undefined);
    expect(await readdir(root)).toEqual([]);
  });

  test('VO-08 is a folder of its own for each of two works at once', async () => {
    const withScope = createScopes(join(await temporaryFolder(), 'voice'));
    const folders = await Promise.all([1, 2].map(() => withScope(async (folder) => folder)));
    expect(new Set(folders).size).toBe(2);
  });
});
