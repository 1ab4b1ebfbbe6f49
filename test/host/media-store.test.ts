import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/errors.js';
import type { MediaStore } from '../../src/core/media.js';
import { createMediaStore } from '../../src/host/media-store.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const { signal } = new AbortController();

let base: string;
let home: string;
let workspace: string;
let store: MediaStore;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-media-')));
  home = join(base, 'home');
  workspace = join(home, 'workspace');
  mkdirSync(workspace, { recursive: true });
  mkdirSync(join(base, 'shared'));
  writeFileSync(join(base, 'secret.env'), 'KEY=hidden');
  writeFileSync(join(home, 'config.yaml'), 'hidden: true');
  store = createMediaStore({
    home,
    workspace,
    allowDirs: [join(base, 'shared')],
    fetch: async (url) => ({
      fileName: basename(url),
      mimeType: 'image/png',
      bytes: chunks(png),
    }),
  });
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

const keep = (fileName: string, bytes: Uint8Array, kind: 'image' | 'file' | 'voice' = 'image') =>
  store.keep({ kind, fileName, maxBytes: 1_000 }, chunks(bytes), { signal });

const failure = async (work: Promise<unknown>): Promise<ToolError> => {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof ToolError)) throw new Error(`no refusal but ${String(outcome)}`);
  return outcome;
};

test('forgets kept files and long results by their names, and nothing else', async () => {
  const kept = await keep('cat.png', png);
  const documents = join(home, 'cache', 'documents');
  mkdirSync(documents, { recursive: true });
  for (const name of ['trn_1-call_2-look.txt', 'notes.txt']) writeFileSync(join(documents, name), 'text');
  await store.forget([
    basename(kept.path),
    'trn_1-call_2-look.txt',
    'notes.txt',
    '../../config.yaml',
    'gone',
  ]);
  expect(existsSync(kept.path)).toBe(false);
  expect(readdirSync(documents)).toEqual(['notes.txt']);
  expect(existsSync(join(home, 'config.yaml'))).toBe(true);
});

describe('keeping what was sent', () => {
  test('puts a picture among the pictures, whole, private and under a name nobody can guess', async () => {
    const file = await keep('My holiday (1).PNG', png);
    expect(dirname(file.path)).toBe(join(home, 'cache/images'));
    expect(basename(file.path)).toMatch(/^My_holiday_1_[0-9a-f]{32}\.png$/u);
    expect(file).toMatchObject({
      fileName: 'My holiday (1).PNG',
      mimeType: 'image/png',
      sizeBytes: png.length,
    });
    expect(readFileSync(file.path)).toEqual(png);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  test('judges the type by the bytes, not by what the sender says', async () => {
    const page = await keep('photo.png', Buffer.from('<script>alert(1)</script>'));
    expect(page.mimeType).toBe('text/plain');
    expect(dirname(page.path)).toBe(join(home, 'cache/documents'));
    const sound = await keep('note', Buffer.from('OggS'.padEnd(28, '\0').concat('OpusHead')), 'voice');
    expect(sound.mimeType).toBe('audio/ogg');
    expect(sound.path).toMatch(/cache\/audio\/note_[0-9a-f]{32}\.ogg$/u);
    const table = await keep('t.xlsx', Buffer.from('PK\x03\x04zip'), 'file');
    expect(table.mimeType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  });

  test.each([
    '../../config.yaml',
    '/etc/passwd',
    '..\\..\\config.yaml',
    '.env',
    'a\0b',
    '',
    '....',
    `${'x'.repeat(500)}.txt`,
    '\u202Egnp.exe',
  ])('keeps a file called %j in its folder', async (name) => {
    const file = await keep(name, Buffer.from('text'), 'file');
    expect(dirname(file.path)).toBe(join(home, 'cache/documents'));
    expect(basename(file.path)).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u);
    expect(file.fileName).toMatch(/^[^./\\\p{C}][^/\\\p{C}]*$/u);
    expect(Buffer.byteLength(file.fileName)).toBeLessThan(200);
  });

  test('stops at the limit, whatever is still to come, and leaves nothing', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1;
        yield Buffer.alloc(600, 1);
      }
    }
    const error = await failure(store.keep({ kind: 'file', maxBytes: 1_000 }, endless(), { signal }));
    expect(error.message).toContain('larger than');
    expect(given).toBeLessThan(200);
    expect(readdirSync(join(home, 'cache'))).toEqual([]);
  });

  test('leaves nothing when the sender breaks off or the wait is aborted', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield png;
      throw new Error('connection lost');
    }
    await expect(store.keep({ kind: 'file', maxBytes: 1_000 }, broken(), { signal })).rejects.toThrow(
      'connection lost',
    );
    const controller = new AbortController();
    async function* waiting(): AsyncGenerator<Uint8Array> {
      yield png;
      controller.abort(new Error('stopped'));
      await new Promise((resolve) => controller.signal.addEventListener('abort', resolve));
    }
    const request = { kind: 'file', maxBytes: 1_000 } as const;
    await expect(store.keep(request, waiting(), { signal: controller.signal })).rejects.toThrow('stopped');
    expect(readdirSync(join(home, 'cache'))).toEqual([]);
  });

  test('opens a kept file by its id only', async () => {
    const file = await keep('a.png', png);
    const found = await store.open(basename(file.path));
    expect(found?.file).toMatchObject({ mimeType: 'image/png', sizeBytes: png.length });
    const read: Uint8Array[] = [];
    for await (const chunk of found?.bytes ?? []) read.push(chunk);
    expect(Buffer.concat(read)).toEqual(png);
    writeFileSync(join(home, 'cache/images/plain.png'), png);
    for (const id of ['plain.png', '../config.yaml', `a_${'0'.repeat(32)}.png`, '..', ''])
      expect(await store.open(id)).toBeUndefined();
  });
});

describe('taking what is to be sent', () => {
  const place = (path: string, content: string | Buffer = 'content'): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };

  test.each(['home/workspace/a b.png', 'home/cache/images/a b.png', 'shared/a b.png'])(
    'copies %s to the spool',
    async (name) => {
      const path = place(join(base, name), png);
      const file = await store.take(path, { signal });
      expect(dirname(file.path)).toBe(join(home, 'cache/outbox'));
      expect(file).toMatchObject({ fileName: 'a b.png', mimeType: 'image/png', sizeBytes: png.length });
      writeFileSync(path, 'changed afterwards');
      expect(readFileSync(file.path)).toEqual(png);
      expect(statSync(file.path).mode & 0o777).toBe(0o600);
      expect(await store.spooled()).toEqual([file.path]);
      await store.release([file.path, path]);
      expect(await store.spooled()).toEqual([]);
      expect(existsSync(path)).toBe(true);
    },
  );

  test('takes where a link leads, if it leads to an allowed place', async () => {
    place(join(base, 'shared/real.png'), png);
    symlinkSync(join(base, 'shared/real.png'), join(workspace, 'link.png'));
    const file = await store.take(join(workspace, 'link.png'), { signal });
    expect(file.fileName).toBe('link.png');
    expect(await store.locate(join(workspace, 'link.png'))).toBe(join(base, 'shared/real.png'));
  });

  test('refuses everything else with one and the same sentence', async () => {
    symlinkSync(join(base, 'secret.env'), join(workspace, 'link.png'));
    symlinkSync(join(base, 'not-there'), join(workspace, 'dangling.png'));
    symlinkSync(base, join(workspace, 'folder'));
    linkSync(join(home, 'config.yaml'), join(workspace, 'hard.txt'));
    place(join(workspace, '.env'));
    place(join(workspace, 'keys/id_rsa'));
    place(join(workspace, '.ssh/known_hosts'));
    place(join(home, 'state.db'));
    const spooled = await store.take(place(join(workspace, 'fine.txt')), { signal });
    const paths = [
      `${workspace}/../secret.env`,
      join(home, 'config.yaml'),
      join(home, 'not-there.yaml'),
      join(home, 'state.db'),
      join(workspace, 'link.png'),
      join(workspace, 'dangling.png'),
      join(workspace, 'folder/secret.env'),
      join(workspace, 'folder/not-there'),
      join(workspace, 'hard.txt'),
      join(workspace, '.env'),
      join(workspace, 'keys/id_rsa'),
      join(workspace, '.ssh/known_hosts'),
      '/proc/self/environ',
      '/not-there/at/all',
      `${workspace}/a\0b`,
      spooled.path,
    ];
    for (const path of paths) {
      const error = await failure(store.take(path, { signal }));
      expect([path, error.code, error.message]).toEqual([
        path,
        'not-allowed',
        'it may not be sent from where it lies',
      ]);
      expect(await store.locate(path)).toBeUndefined();
    }
  });

  test('says what is wrong with a file that would be allowed', async () => {
    mkdirSync(join(workspace, 'folder'));
    place(join(workspace, 'empty.txt'), '');
    const huge = place(join(workspace, 'huge.bin'));
    truncateSync(huge, 3 * 1_073_741_824);
    const messageOf = async (path: string) => (await failure(store.take(path, { signal }))).message;
    expect(await messageOf(join(workspace, 'gone.png'))).toBe('there is no such file');
    expect(await messageOf(join(workspace, 'sub/%2e%2e/gone.png'))).toBe('there is no such file');
    expect(await messageOf(join(workspace, 'folder'))).toBe('it is not a regular file');
    expect(await messageOf(join(workspace, 'empty.txt'))).toBe('it is empty (0 bytes)');
    expect(await messageOf(huge)).toBe('it is larger than 2 GB');
    expect(await messageOf('gone.png')).toBe('its path is not absolute');
  });

  test('spools what was fetched', async () => {
    const file = await store.fetch('https://example.org/chart.png', { signal });
    expect(file).toMatchObject({ fileName: 'chart.png', mimeType: 'image/png' });
    expect(await store.spooled()).toEqual([file.path]);
  });
});

describe('the sweep', () => {
  test('forgets the old, then the oldest until the rest fits, and leaves the spool alone', async () => {
    writeFileSync(join(workspace, 'sent.bin'), Buffer.alloc(400));
    const spooled = await store.take(join(workspace, 'sent.bin'), { signal });
    const ages = [50, 40, 30, 20, 10];
    const files = [];
    for (const age of ages) {
      const { path } = await keep(`${age}.txt`, Buffer.alloc(100, 65), 'file');
      utimesSync(path, 1_000_000 - age, 1_000_000 - age);
      files.push(path);
    }
    const report = await store.sweep({ olderThan: (1_000_000 - 45) * 1_000, maxBytes: 250 });
    expect(report).toEqual({ files: 3, bytes: 300 });
    expect(files.map((path) => existsSync(path))).toEqual([false, false, false, true, true]);
    expect(existsSync(spooled.path)).toBe(true);
  });
});
