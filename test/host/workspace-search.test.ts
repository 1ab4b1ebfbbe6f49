import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ProcessPort } from '../../src/core/process.js';
import type { SearchRequest } from '../../src/core/search.js';
import { createProcessPort } from '../../src/host/process-groups.js';
import { createSystemClock } from '../../src/host/system-clock.js';
import { createWorkspaceSearch, type WorkspaceSearchOptions } from '../../src/host/workspace-search.js';

let base: string;
let home: string;
let workspace: string;
const processes = createProcessPort({ clock: createSystemClock() });

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hermes-search-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  home = join(base, 'home');
  workspace = join(home, 'workspace');
  await mkdir(workspace, { recursive: true });
});

const write = async (files: Readonly<Record<string, string | Uint8Array>>, folder = workspace) => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};

const search = (
  request: Partial<SearchRequest> & { readonly pattern: string },
  options: Partial<WorkspaceSearchOptions> = {},
) =>
  createWorkspaceSearch({ workspace, home, processes, ...options }).search(
    {
      target: 'content',
      path: '.',
      give: 'lines',
      contextLines: 0,
      withIgnored: false,
      offset: 0,
      limit: 50,
      ...request,
    },
    { signal: new AbortController().signal },
  );

const pathsOf = async (answer: ReturnType<typeof search>) => (await answer).found.map(({ path }) => path);

describe('a search for content', () => {
  test('gives lines by path, with their numbers and what stands around them', async () => {
    await write({ 'b.txt': 'x\nthe word\ny\n', 'a/one.md': 'word one\nword two\n' });
    expect(await search({ pattern: 'word' })).toEqual({
      total: 3,
      found: [
        { kind: 'line', path: 'a/one.md', line: 1, column: 1, text: 'word one' },
        { kind: 'line', path: 'a/one.md', line: 2, column: 1, text: 'word two' },
        { kind: 'line', path: 'b.txt', line: 2, column: 5, text: 'the word' },
      ],
    });
    const { found, total } = await search({ pattern: 'the', contextLines: 1 });
    expect(found.map((one) => [one.kind, 'line' in one && one.line])).toEqual([
      ['context', 1],
      ['line', 2],
      ['context', 3],
    ]);
    expect(total).toBe(1);
  });

  test('gives the page that is asked for, with its context only', async () => {
    await write({ 'a.txt': Array.from({ length: 9 }, (_each, index) => `hit ${index}\nmiss`).join('\n') });
    const { found, total } = await search({ pattern: 'hit', contextLines: 1, offset: 2, limit: 2 });
    expect(total).toBe(9);
    expect(found.flatMap((one) => (one.kind === 'line' ? [one.text] : []))).toEqual(['hit 2', 'hit 3']);
    expect((await search({ pattern: 'hit', offset: 9 })).found).toEqual([]);
  });

  test('gives files, or how many lines in each', async () => {
    await write({ 'a.txt': 'word\nword\n', 'b.txt': 'word\n', 'c.txt': 'other\n' });
    expect((await search({ pattern: 'word', give: 'files' })).found).toEqual([
      { kind: 'file', path: 'a.txt' },
      { kind: 'file', path: 'b.txt' },
    ]);
    expect((await search({ pattern: 'word', give: 'counts' })).found).toEqual([
      { kind: 'count', path: 'a.txt', count: 2 },
      { kind: 'count', path: 'b.txt', count: 1 },
    ]);
  });

  test('takes capitals for what they are if the pattern has one, or as it is told', async () => {
    await write({ 'a.txt': 'Word\nword\n' });
    expect((await search({ pattern: 'word' })).total).toBe(2);
    expect((await search({ pattern: 'Word' })).total).toBe(1);
    expect((await search({ pattern: 'Word', isCaseSensitive: false })).total).toBe(2);
    expect((await search({ pattern: 'word', isCaseSensitive: true })).total).toBe(1);
  });

  test('keeps to a folder, a file, or names that fit', async () => {
    await write({ 'src/a.ts': 'word', 'src/a.md': 'word', 'other/a.ts': 'word' });
    expect(await pathsOf(search({ pattern: 'word', path: 'src' }))).toEqual(['src/a.md', 'src/a.ts']);
    expect(await pathsOf(search({ pattern: 'word', path: join(workspace, 'src/a.ts') }))).toEqual([
      'src/a.ts',
    ]);
    expect(await pathsOf(search({ pattern: 'word', glob: '*.ts' }))).toEqual(['other/a.ts', 'src/a.ts']);
    expect(await pathsOf(search({ pattern: 'word', glob: 'src/**/*.ts' }))).toEqual(['src/a.ts']);
  });

  test('passes over binary files, also one that is named', async () => {
    await write({ 'a.bin': 'word\n\0\u0001', 'b.txt': 'word' });
    expect(await pathsOf(search({ pattern: 'word' }))).toEqual(['b.txt']);
    expect(await search({ pattern: 'word', path: 'a.bin' })).toEqual({ found: [], total: 0 });
  });

  test('finds Chinese in UTF-8, UTF-16 and GBK, and shows it readable', async () => {
    const gbk = Buffer.from('b6abbea9b5c4ccecc6f8 0a'.replace(' ', ''), 'hex');
    await write({ 'utf8.txt': '东京的天气\n' });
    expect((await search({ pattern: '天气' })).total).toBe(1);
    await rm(join(workspace, 'utf8.txt'));
    await write({ 'gbk.txt': gbk });
    expect((await search({ pattern: '天气' })).found).toMatchObject([
      { path: 'gbk.txt', text: '东京的天气' },
    ]);
    await write({ 'u16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('东京\n', 'utf16le')]) });
    expect((await search({ pattern: '东京' })).found).toMatchObject([{ path: 'u16.txt', text: '东京' }]);
  });

  test('cuts long lines, and what is too much altogether', async () => {
    await write({ 'long.js': `${'x'.repeat(100_000)}word` });
    const { found } = await search({ pattern: 'word' });
    expect(found).toMatchObject([{ kind: 'line', column: 100_001 }]);
    expect(found[0]?.kind === 'line' && found[0].text.length).toBeLessThan(600);
    await write({ 'many.txt': `${'a line with words in it\n'.repeat(400_000)}` });
    const many = await search({ pattern: 'words' });
    expect(many).toMatchObject({ stoppedBy: 'size' });
    expect(many.found).toHaveLength(50);
  });

  test('may say that a character is no line break', async () => {
    await write({ 'a.txt': 'one word\n' });
    expect((await search({ pattern: 'one[^\\n]+d' })).total).toBe(1);
    expect((await search({ pattern: 'one\\\\n' })).total).toBe(0);
  });

  test('looks ahead, and takes file names with line breaks for what they are', async () => {
    await write({ 'odd\nname.txt': 'foobar\nfoobaz\n' });
    expect((await search({ pattern: 'foo(?=baz)' })).found).toMatchObject([
      { path: 'odd\nname.txt', text: 'foobaz' },
    ]);
  });

  test('that takes too long says so', async () => {
    const slow: ProcessPort = {
      run: async () => ({
        ending: 'timed-out',
        stdout: Buffer.from('./a.txt\u00001:1:word\n./b.txt\u00001:1:wo'),
        stderr: new Uint8Array(),
      }),
    };
    await write({ 'a.txt': 'word' });
    expect(await search({ pattern: 'word' }, { processes: slow })).toMatchObject({
      stoppedBy: 'time',
      total: 1,
      found: [{ path: 'a.txt' }],
    });
  });
});

describe('a search for names', () => {
  test('takes a glob, or a part of a name, in any case', async () => {
    await write({ 'README.md': '', 'src/readme-too.txt': '', 'src/a.ts': '', 'src/deep/b.TS': '' });
    const names = (pattern: string) => pathsOf(search({ target: 'names', pattern }));
    expect(await names('*.ts')).toEqual(['src/a.ts', 'src/deep/b.TS']);
    expect(await names('readme')).toEqual(['README.md', 'src/readme-too.txt']);
    expect(await names('src/**/*.ts')).toEqual(['src/a.ts', 'src/deep/b.TS']);
    expect(await names('*')).toHaveLength(4);
    expect(await names('nothing')).toEqual([]);
  });
});

describe('what is left out', () => {
  test('is hidden, ignored by the workspace itself, or of version control, unless it is asked for', async () => {
    await write({
      '.gitignore': 'build/\n',
      'build/out.txt': 'word',
      '.hidden/a.txt': 'word',
      'a.txt': 'word',
    });
    await write({ '.git/config': 'word' });
    await mkdir(join(workspace, '.git/objects'), { recursive: true });
    expect(await pathsOf(search({ pattern: 'word' }))).toEqual(['a.txt']);
    expect(await pathsOf(search({ pattern: 'word', withIgnored: true }))).toEqual([
      '.hidden/a.txt',
      'a.txt',
      'build/out.txt',
    ]);
    expect(await pathsOf(search({ pattern: 'word', path: 'build' }))).toEqual(['build/out.txt']);
    expect(await pathsOf(search({ target: 'names', pattern: '*' }))).toEqual(['a.txt']);
  });

  test('is not what an ignore file outside the workspace names', async () => {
    await mkdir(join(base, '.git'));
    await writeFile(join(base, '.gitignore'), '*\n');
    await write({ 'a.txt': 'word' });
    expect(await pathsOf(search({ pattern: 'word' }))).toEqual(['a.txt']);
  });

  test('is what links lead to, and the way out of the workspace', async () => {
    await write({ 'secret.txt': 'word' }, join(base, 'outside'));
    await symlink(join(base, 'outside'), join(workspace, 'link'));
    await symlink(join(base, 'outside/secret.txt'), join(workspace, 'file-link'));
    expect(await search({ pattern: 'word', withIgnored: true })).toEqual({ found: [], total: 0 });
    for (const path of ['link', 'file-link', '..', '/etc', join(base, 'outside')])
      await expect(search({ pattern: 'word', path })).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('is every secret, by its name, its folder, or as another name of one', async () => {
    await write({ '.env': 'word', 'a/id_ed25519': 'word', '.ssh/config': 'word', 'key.pem': 'word' });
    await writeFile(join(home, 'config.yaml'), 'word: 1');
    await link(join(home, 'config.yaml'), join(workspace, 'harmless.txt'));
    for (const give of ['lines', 'files', 'counts'] as const)
      expect((await search({ pattern: 'word', give, withIgnored: true })).found).toEqual([]);
    expect(await pathsOf(search({ target: 'names', pattern: 'pem', withIgnored: true }))).toEqual([]);
    await expect(search({ pattern: 'word', path: '.ssh' })).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('is what is private in a home that is the workspace', async () => {
    await write({ 'config.yaml': 'word', 'logs/gateway.log': 'word', 'workspace/a.txt': 'word' }, home);
    expect(await pathsOf(search({ pattern: 'word' }, { workspace: home }))).toEqual(['workspace/a.txt']);
  });

  test('is the folder of kept results, of which only single files are searched', async () => {
    const kept = join(home, 'cache/documents');
    await write({ 'r1.txt': 'one\nword\n' }, kept);
    const readable = { readable: [kept] };
    expect((await search({ pattern: 'word', path: join(kept, 'r1.txt') }, readable)).found).toEqual([
      { kind: 'line', path: join(kept, 'r1.txt'), line: 2, column: 1, text: 'word' },
    ]);
    await expect(search({ pattern: 'word', path: kept }, readable)).rejects.toMatchObject({
      code: 'not-allowed',
    });
  });
});

describe('what cannot be searched', () => {
  test.each([
    ['(', 'unclosed group'],
    ['a\\nb', 'cannot reach over a line break'],
    ['a\nb', 'cannot reach over a line break'],
    ['a\0b', 'cannot contain a zero byte'],
    ['[z-a]', 'invalid character class range'],
  ])('the pattern %s, is told why', async (pattern, reason) => {
    await write({ 'a.txt': 'word' });
    await expect(search({ pattern })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(reason),
    });
  });

  test('a broken glob is told as one', async () => {
    await expect(search({ pattern: 'x', glob: '[' })).rejects.toMatchObject({
      message: expect.stringContaining("'[' is no valid glob: unclosed character class"),
    });
  });

  test('a pattern that looks like an option is a pattern', async () => {
    await write({ 'a.txt': '--files and more' });
    expect((await search({ pattern: '--files' })).total).toBe(1);
    expect((await search({ pattern: 'x', glob: '--hidden' })).total).toBe(0);
  });

  test('a path that is not there is told by its name', async () => {
    await expect(search({ pattern: 'x', path: 'gone' })).rejects.toMatchObject({
      code: 'not-found',
      message: "There is no 'gone' in the workspace.",
    });
  });

  test('anything, where ripgrep is not installed, is said to be so', async () => {
    const loadProgram = () => Promise.reject(new Error('Could not find it'));
    await expect(search({ pattern: 'x' }, { loadProgram })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/ripgrep is not installed for \S+-\S+\. Tell the user/),
    });
  });

  test('an abort ends it with its reason', async () => {
    const reason = new Error('stopped');
    const searching = createWorkspaceSearch({ workspace, home, processes }).search(
      {
        target: 'content',
        pattern: 'x',
        path: '.',
        give: 'lines',
        contextLines: 0,
        withIgnored: false,
        offset: 0,
        limit: 1,
      },
      { signal: AbortSignal.abort(reason) },
    );
    await expect(searching).rejects.toBe(reason);
  });
});
