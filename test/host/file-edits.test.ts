import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/errors.js';
import type { FileEdits } from '../../src/core/file-edits.js';
import { toSessionId, toToolCallId } from '../../src/core/ids.js';
import { createRealWorkspace } from '../fakes/real-workspace.js';

const reader = { session: toSessionId('s1'), call: toToolCallId('c1') };

let world: ReturnType<typeof createRealWorkspace>;
let edits: FileEdits;
let workspace: string;

beforeEach(() => {
  world = createRealWorkspace();
  ({ workspace } = world);
  ({ edits } = world.services);
});
afterEach(() => world.remove());

const write = async (path: string, text: string): Promise<void> =>
  edits.write(await edits.load(path, reader), Buffer.from(text), reader);

const refusal = async (path: string): Promise<ToolError> => {
  const outcome = await write(path, 'changed').catch((error: unknown) => error);
  if (!(outcome instanceof ToolError)) throw new Error(`'${path}' was not refused: ${String(outcome)}`);
  return outcome;
};

const textOf = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('writing', () => {
  test('makes a file and its folders, and leaves nothing else behind', async () => {
    await write('a/b/notes.txt', 'one');
    expect(textOf(workspace, 'a/b/notes.txt')).toBe('one');
    expect(readdirSync(join(workspace, 'a/b'))).toEqual(['notes.txt']);
  });

  test('replaces a file as a whole and keeps its rights', async () => {
    writeFileSync(join(workspace, 'run.sh'), 'old');
    chmodSync(join(workspace, 'run.sh'), 0o750);
    const before = statSync(join(workspace, 'run.sh')).ino;
    await write('run.sh', 'new');
    expect(textOf(workspace, 'run.sh')).toBe('new');
    expect(statSync(join(workspace, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(statSync(join(workspace, 'run.sh')).ino).not.toBe(before);
  });

  test('goes through a link inside to the file that it means', async () => {
    writeFileSync(join(workspace, 'real.txt'), 'old');
    symlinkSync('real.txt', join(workspace, 'link.txt'));
    await write('link.txt', 'new');
    expect(textOf(workspace, 'real.txt')).toBe('new');
    expect(readdirSync(workspace).sort()).toEqual(['link.txt', 'real.txt']);
  });

  test('of a file with a second name leaves the content of the other alone', async () => {
    writeFileSync(join(world.base, 'elsewhere.txt'), 'old');
    linkSync(join(world.base, 'elsewhere.txt'), join(workspace, 'twin.txt'));
    await write('twin.txt', 'new');
    expect(textOf(world.base, 'elsewhere.txt')).toBe('old');
    expect(textOf(workspace, 'twin.txt')).toBe('new');
  });

  test('leaves alone what is write-protected, and what is too large', async () => {
    writeFileSync(join(workspace, 'kept.txt'), 'old', { mode: 0o444 });
    expect((await refusal('kept.txt')).message).toContain('write-protected');
    writeFileSync(join(workspace, 'large.bin'), Buffer.alloc(17 * 1024 * 1024));
    expect((await refusal('large.bin')).message).toContain('too many to edit');
  });
});

describe('a path out of the workspace', () => {
  test.each([
    '../outside.txt',
    'a/../../../outside.txt',
    '/etc/hosts',
    '/proc/self/cwd/x',
    '/proc/self/environ',
    '~/../x/../../y',
  ])('as %s is refused', async (path) => {
    if (path.startsWith('~')) return expect((await refusal(path)).code).toBe('not-allowed');
    expect(await refusal(path)).toMatchObject({ code: 'not-allowed' });
    expect(textOf(world.base, 'outside.txt')).toBe('hidden');
  });

  test('over a link is refused, whether it leads to a file, a folder or nowhere', async () => {
    symlinkSync(join(world.base, 'outside.txt'), join(workspace, 'file.txt'));
    symlinkSync(world.base, join(workspace, 'folder'));
    symlinkSync(join(world.base, 'new.txt'), join(workspace, 'nowhere.txt'));
    for (const path of ['file.txt', 'folder/outside.txt', 'folder/new.txt', 'folder/x/y.txt', 'nowhere.txt'])
      expect(await refusal(path)).toMatchObject({ code: 'not-allowed' });
    expect(readdirSync(world.base).sort()).toEqual(['home', 'outside.txt']);
    expect(textOf(world.base, 'outside.txt')).toBe('hidden');
  });
});

describe('secrets', () => {
  test.each(['.env', '.env.local', 'keys/id_rsa', 'x/.ssh/config', 'gateway.db', '.npmrc'])(
    'named %s are neither made nor changed',
    async (path) => {
      expect(await refusal(path)).toMatchObject({ code: 'not-allowed' });
      expect(existsSync(join(workspace, path))).toBe(false);
    },
  );

  test('of the home stay as they are also where the home is the workspace', async () => {
    const { createWorkspace } = await import('../../src/host/workspace.js');
    const wide = createWorkspace({
      workspace: world.home,
      places: { workspace: world.home, home: world.home },
      processes: { run: () => Promise.reject(new Error('nothing runs here')) },
      program: join(world.base, 'program'),
      pid: process.pid,
    });
    for (const path of ['.env', 'config.yaml', 'gateway.db', 'gateway.db-wal'])
      await expect(wide.edits.load(path, reader)).rejects.toMatchObject({ code: 'not-allowed' });
    expect(textOf(world.home, 'config.yaml')).toBe('hidden: true');
  });

  test('under another name are neither shown nor replaced', async () => {
    linkSync(join(world.home, '.env'), join(workspace, 'notes.txt'));
    linkSync(join(world.home, 'config.yaml'), join(workspace, 'plan.txt'));
    for (const path of ['notes.txt', 'plan.txt'])
      expect(await refusal(path)).toMatchObject({ code: 'not-allowed' });
  });
});

describe('odd paths', () => {
  test.each([
    ['a\nb.txt', 'characters'],
    ['x\u{202E}gnp.exe', 'characters'],
    ['a\0b', 'characters'],
    ['.', 'is a folder'],
    ['made/', 'is a folder'],
    [`${'n'.repeat(300)}.txt`, 'too long'],
    ['file.txt/inner.txt', 'no folder'],
  ])('as %j are told to be wrong', async (path, words) => {
    writeFileSync(join(workspace, 'file.txt'), 'x');
    expect((await refusal(path)).message).toContain(words);
  });

  test.each(['a;touch x.png', '..\\..\\x', 'CON', '日本語.txt', '$(id)'])(
    'as %j are just names',
    async (path) => {
      await write(path, 'text');
      expect(textOf(workspace, path)).toBe('text');
      expect(readdirSync(workspace)).toEqual([path]);
    },
  );
});

describe('what was swapped in meanwhile', () => {
  test('instead of the folder leads nowhere', async () => {
    mkdirSync(join(workspace, 'sub'));
    mkdirSync(join(world.base, 'target'));
    const stamp = await edits.load('sub/new.txt', reader);
    renameSync(join(workspace, 'sub'), join(workspace, 'was'));
    symlinkSync(join(world.base, 'target'), join(workspace, 'sub'));
    await expect(edits.write(stamp, Buffer.from('x'), reader)).rejects.toBeInstanceOf(ToolError);
    expect(readdirSync(join(world.base, 'target'))).toEqual([]);
  });

  test('while it is written, again and again, never leads out', async () => {
    const target = join(world.base, 'target');
    mkdirSync(target);
    const swap = join(workspace, 'swap');
    let isOver = false;
    // The writer makes the folder too, so either may come first.
    const trying = (act: () => void): void => {
      try {
        act();
      } catch {}
    };
    const swapping = (async () => {
      while (!isOver) {
        trying(() => rmSync(swap, { recursive: true, force: true }));
        trying(() => symlinkSync(target, swap));
        await new Promise((done) => setImmediate(done));
      }
    })();
    for (let round = 0; round < 200; round += 1) await write('swap/file.txt', 'x').catch(() => undefined);
    isOver = true;
    await swapping;
    expect(readdirSync(target)).toEqual([]);
  });

  test('instead of the file is not overwritten', async () => {
    const stamp = await edits.load('new.txt', reader);
    writeFileSync(join(workspace, 'new.txt'), 'somebody else');
    await expect(edits.write(stamp, Buffer.from('x'), reader)).rejects.toMatchObject({
      message: expect.stringContaining('changed by somebody else'),
    });
    expect(textOf(workspace, 'new.txt')).toBe('somebody else');
    expect(readdirSync(workspace)).toEqual(['new.txt']);
  });
});

describe('a file that was changed', () => {
  test('since the session read it is not overwritten until it is read again', async () => {
    writeFileSync(join(workspace, 'a.txt'), 'one');
    const read = async () =>
      edits.noteRead(reader.session, (await world.services.files.read('a.txt', { maxBytes: 9 })).stamp);
    await read();
    await write('a.txt', 'two');
    await write('a.txt', 'three');
    writeFileSync(join(workspace, 'a.txt'), 'by somebody');
    expect((await refusal('a.txt')).message).toContain('changed since you read it');
    await read();
    await write('a.txt', 'four');
    expect(textOf(workspace, 'a.txt')).toBe('four');
  });

  test('since another session read it may be written by this one', async () => {
    writeFileSync(join(workspace, 'a.txt'), 'one');
    const { stamp } = await world.services.files.read('a.txt', { maxBytes: 9 });
    edits.noteRead(toSessionId('other'), stamp);
    writeFileSync(join(workspace, 'a.txt'), 'longer');
    await write('a.txt', 'mine');
    expect(textOf(workspace, 'a.txt')).toBe('mine');
  });

  test('since its change was shown to the user is left alone', async () => {
    writeFileSync(join(workspace, 'a.txt'), 'one');
    edits.noteShown(reader, await edits.load('a.txt', reader));
    writeFileSync(join(workspace, 'a.txt'), 'something else');
    expect((await refusal('a.txt')).message).toContain('after the user was shown');
  });
});

test('removing takes the file and nothing else', async () => {
  writeFileSync(join(workspace, 'a.txt'), 'one');
  writeFileSync(join(workspace, 'b.txt'), 'two');
  await edits.remove(await edits.load('a.txt', reader), reader);
  expect(readdirSync(workspace)).toEqual(['b.txt']);
  await expect(edits.remove({ path: workspace, version: 'x' }, reader)).rejects.toBeInstanceOf(ToolError);
});
