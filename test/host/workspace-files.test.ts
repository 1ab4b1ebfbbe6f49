import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/errors.js';
import type { WorkspaceFiles } from '../../src/core/tool.js';
import { createWorkspaceFiles } from '../../src/host/workspace-files.js';

let base: string;
let home: string;
let workspace: string;
let files: WorkspaceFiles;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-files-')));
  home = join(base, 'home');
  workspace = join(home, 'workspace');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'notes.txt'), 'hello');
  writeFileSync(join(home, '.env'), 'OPENAI_API_KEY=hidden');
  writeFileSync(join(home, 'config.yaml'), 'hidden: true');
  writeFileSync(join(base, 'outside.txt'), 'hidden');
  files = createWorkspaceFiles({ workspace, home });
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

const read = async (path: string, maxBytes = 1_000): Promise<string> =>
  Buffer.from((await files.read(path, { maxBytes })).bytes).toString('utf8');

const refusal = async (path: string): Promise<ToolError> => {
  const outcome = await read(path).catch((error: unknown) => error);
  if (!(outcome instanceof ToolError)) throw new Error(`'${path}' was not refused: ${String(outcome)}`);
  return outcome;
};

describe('a further readable folder', () => {
  test('gives its files by their absolute path, and neither a list nor a way out', async () => {
    const cache = join(home, 'cache', 'documents');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'long.txt'), 'kept');
    symlinkSync(join(base, 'outside.txt'), join(cache, 'link.txt'));
    const wider = createWorkspaceFiles({ workspace, home, readable: [cache] });
    const bytesOf = async (path: string) => (await wider.read(path, { maxBytes: 10 })).bytes;
    expect(Buffer.from(await bytesOf(join(cache, 'long.txt'))).toString()).toBe('kept');
    expect(Buffer.from(await bytesOf('notes.txt')).toString()).toBe('hello');
    await expect(wider.list(cache)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(bytesOf(join(cache, 'link.txt'))).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(bytesOf(join(cache, '..', '..', '.env'))).rejects.toMatchObject({ code: 'not-allowed' });
    expect((await refusal(join(cache, 'long.txt'))).code).toBe('not-allowed');
  });
});

describe('reading', () => {
  test.each(['notes.txt', './notes.txt', 'sub/../notes.txt'])('gives the bytes of %s', async (path) => {
    mkdirSync(join(workspace, 'sub'));
    expect(await read(path)).toBe('hello');
  });

  test('takes an absolute path inside', async () => {
    expect(await read(join(workspace, 'notes.txt'))).toBe('hello');
  });

  test('reads no more than asked for, and tells the whole size', async () => {
    expect(await files.read('notes.txt', { maxBytes: 2 })).toMatchObject({
      bytes: Buffer.from('he'),
      sizeBytes: 5,
    });
  });

  test('an empty file is fine', async () => {
    writeFileSync(join(workspace, 'empty'), '');
    expect(await read('empty')).toBe('');
  });

  test('follows a link that stays inside', async () => {
    symlinkSync('notes.txt', join(workspace, 'link'));
    expect(await read('link')).toBe('hello');
  });

  test('works in a workspace that is itself reached by a link', async () => {
    symlinkSync(workspace, join(base, 'short'));
    files = createWorkspaceFiles({ workspace: join(base, 'short'), home });
    expect(await read('notes.txt')).toBe('hello');
    expect(await read(join(base, 'short', 'notes.txt'))).toBe('hello');
    expect(await read(join(workspace, 'notes.txt'))).toBe('hello');
  });
});

describe('what is refused', () => {
  test.each(['../../outside.txt', '..', '/etc/passwd', '/proc/self/environ', '../.env'])(
    '%s lies outside',
    async (path) => {
      expect(await refusal(path)).toMatchObject({
        code: 'not-allowed',
        message: expect.stringContaining('outside'),
      });
    },
  );

  test('a link that leads out, also through a folder', async () => {
    symlinkSync(join(base, 'outside.txt'), join(workspace, 'link'));
    symlinkSync(base, join(workspace, 'folder'));
    expect((await refusal('link')).code).toBe('not-allowed');
    expect((await refusal('folder/outside.txt')).code).toBe('not-allowed');
  });

  test.each([
    '.env',
    '.env.production',
    'server.pem',
    'tls.KEY',
    'id_rsa',
    'id_ed25519.pub',
    'state.db',
    'state.db-wal',
    'gateway.db',
    '.npmrc',
    '.ssh/known_hosts',
    'credentials.json',
  ])('%s may hold secrets, also inside the workspace', async (path) => {
    mkdirSync(join(workspace, '.ssh'));
    writeFileSync(join(workspace, path), 'hidden');
    expect(await refusal(path)).toMatchObject({
      code: 'not-allowed',
      message: expect.stringContaining('secrets'),
    });
  });

  test.each(['.env.example', 'state.txt', 'keys.md', 'monkey.txt'])('%s is no secret', async (path) => {
    writeFileSync(join(workspace, path), 'open');
    expect(await read(path)).toBe('open');
  });

  test('a hard link to a secret of the home', async () => {
    linkSync(join(home, '.env'), join(workspace, 'innocent.txt'));
    expect((await refusal('innocent.txt')).message).toContain('secrets');
    linkSync(join(workspace, 'notes.txt'), join(workspace, 'twice.txt'));
    expect(await read('twice.txt')).toBe('hello');
  });

  test.each([() => base, () => home])(
    'the private files of the home, where the workspace contains them (%#)',
    async (root) => {
      files = createWorkspaceFiles({ workspace: root(), home });
      mkdirSync(join(home, 'logs'));
      writeFileSync(join(home, 'logs/gateway.log'), 'hidden');
      expect((await refusal(join(home, 'config.yaml'))).code).toBe('not-allowed');
      expect((await refusal(join(home, 'logs/gateway.log'))).code).toBe('not-allowed');
      expect(await read(join(home, 'workspace/notes.txt'))).toBe('hello');
    },
  );

  test('a workspace of its own inside the home is open', async () => {
    mkdirSync(join(home, 'projects'));
    writeFileSync(join(home, 'projects/a.txt'), 'open');
    files = createWorkspaceFiles({ workspace: join(home, 'projects'), home });
    expect(await read('a.txt')).toBe('open');
  });

  test('what is not there, a folder, and a path with a zero byte', async () => {
    expect(await refusal('missing.txt')).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('missing.txt'),
    });
    expect((await refusal('notes.txt/x')).code).toBe('not-found');
    expect(await refusal('.')).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('folder'),
    });
    expect((await refusal('a\0b')).code).toBe('invalid-input');
    symlinkSync('loop', join(workspace, 'loop'));
    expect((await refusal('loop')).code).toBe('not-allowed');
  });

  test('a named pipe, without waiting for its other end', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(workspace, 'pipe')]);
    expect(await refusal('pipe')).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('regular'),
    });
  });
});

test('a file swapped for a link to a secret while it is read is never given', async () => {
  const path = join(workspace, 'swapped');
  const ways = [join(workspace, 'real'), join(workspace, 'fake')] as const;
  mkdirSync(ways[0]);
  writeFileSync(join(ways[0], 'outside.txt'), 'open');
  symlinkSync(base, ways[1]);
  let isOver = false;
  const swap = async (): Promise<void> => {
    while (!isOver) {
      for (const way of ways) {
        renameSync(way, path);
        await new Promise((resolve) => setImmediate(resolve));
        renameSync(path, way);
      }
    }
  };
  const swapping = swap();
  const given = new Set<string>();
  for (let round = 0; round < 300; round += 1)
    given.add(await read('swapped/outside.txt').catch((error: ToolError) => error.code));
  isOver = true;
  await swapping;
  expect(given).not.toContain('hidden');
  unlinkSync(ways[1]);
});

describe('listing', () => {
  test('names files and folders in order, without secrets', async () => {
    mkdirSync(join(workspace, 'sub'));
    writeFileSync(join(workspace, '.env'), '');
    writeFileSync(join(workspace, 'a.txt'), '');
    expect(await files.list('.')).toEqual(['a.txt', 'notes.txt', 'sub/']);
    expect(await files.list('sub')).toEqual([]);
  });

  test('refuses what lies outside or is no folder', async () => {
    await expect(files.list('..')).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(files.list('notes.txt')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.list('missing')).rejects.toMatchObject({ code: 'not-found' });
  });
});
