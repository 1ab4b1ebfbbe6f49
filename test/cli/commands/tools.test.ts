import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/tools.js';
import { tools } from '../../../src/tools/index.js';
import { toolsets } from '../../../src/tools/toolsets.js';
import { FakeEdge } from '../fake-edge.js';

const edgeWith = (yaml?: string): FakeEdge => {
  const edge = new FakeEdge();
  if (yaml !== undefined) writeFileSync(join(edge.home, 'config.yaml'), yaml);
  return edge;
};

const fileOf = ({ home }: FakeEdge): string => readFileSync(join(home, 'config.yaml'), 'utf8');

const listed = async (edge: FakeEdge, platform: string) => {
  edge.out = '';
  expect(await run(['list', '--json', '--platform', platform], edge)).toBe(0);
  const [first] = JSON.parse(edge.out).platforms;
  return first;
};

const all = tools.map(({ name }) => name).toSorted();

describe('list', () => {
  test('shows what each platform has, and what is not built', async () => {
    const edge = edgeWith('platforms: {telegram: {toolsets: [todo]}}\ntoolsets: [file]\n');
    expect(await run(['list'], edge)).toBe(0);
    const [telegram = '', ...others] = edge.out.split('\n\n');
    expect(telegram).toMatch(/^telegram \(platforms\.telegram\.toolsets\)\n/);
    expect(telegram).toMatch(/^ {2}on {3}todo +todo$/m);
    expect(telegram).toMatch(/^ {2}off {2}file +patch, read_file, search_files, write_file$/m);
    expect(telegram).toMatch(/^ {2}off {2}browser +\(not built yet\)$/m);
    expect(others.map((text) => text.split('\n')[0])).toEqual(
      expect.arrayContaining(['discord (toolsets)', 'web (toolsets)']),
    );
  });

  test('--json is for programs', async () => {
    const edge = edgeWith(
      'custom_toolsets: {mine: {description: My own, tools: [todo], includes: [file]}}\n',
    );
    expect(await run(['list', '--json'], edge)).toBe(0);
    const { platforms } = JSON.parse(edge.out);
    expect(platforms.map(({ platform }: { platform: string }) => platform)).toContain('telegram');
    const telegram = await listed(edge, 'telegram');
    expect(telegram).toMatchObject({ platform: 'telegram', source: 'default' });
    expect(telegram.tools).toEqual(all);
    expect(telegram.toolsets).toContainEqual({
      name: 'mine',
      description: 'My own',
      isOn: false,
      tools: [
        { name: 'patch', isBuilt: true },
        { name: 'read_file', isBuilt: true },
        { name: 'search_files', isBuilt: true },
        { name: 'todo', isBuilt: true },
        { name: 'write_file', isBuilt: true },
      ],
    });
  });
});

describe('enable and disable', () => {
  test('write the list for all platforms, and keep what stands in the file', async () => {
    const edge = edgeWith('# mine\nlog: {level: debug} # loud\n');
    expect(await run(['disable', 'file', 'todo'], edge)).toBe(0);
    expect(fileOf(edge)).toMatch(
      /^# mine\nlog: \{level: debug\} # loud\ntoolsets: \[web, terminal, browser, /,
    );
    const off = [...(toolsets.find('file')?.tools ?? []), 'todo'];
    const rest = all.filter((name) => !off.includes(name));
    expect((await listed(edge, 'telegram')).tools).toEqual(rest);
    expect(await run(['enable', 'todo'], edge)).toBe(0);
    expect((await listed(edge, 'web')).tools).toEqual([...rest, 'todo'].toSorted());
    expect(edge.err.replace(/\s+/g, ' ')).toContain('in conversations that begin from now on.');
  });

  test('write the list of one platform, which the one for all no longer touches', async () => {
    const edge = edgeWith();
    expect(await run(['disable', 'file', '--platform', 'telegram'], edge)).toBe(0);
    expect((await listed(edge, 'telegram')).tools).not.toContain('read_file');
    expect((await listed(edge, 'web')).tools).toContain('read_file');
    expect(await run(['disable', 'todo'], edge)).toBe(0);
    expect(edge.err).toContain('telegram: unchanged, with a list of their own');
    expect((await listed(edge, 'telegram')).tools).toContain('todo');
  });

  test('change nothing that is so already', async () => {
    const edge = edgeWith('toolsets: [file]\n');
    expect(await run(['enable', 'file'], edge)).toBe(0);
    expect(fileOf(edge)).toBe('toolsets: [file]\n');
    expect(edge.err).toContain('on already');
  });

  test('say what stays and what has no tools yet', async () => {
    const edge = edgeWith('toolsets: [file, mine]\ncustom_toolsets: {mine: {tools: [read_file]}}\n');
    await run(['disable', 'file'], edge);
    expect(edge.err).toContain('read_file stay, because another toolset that is on has them too.');
    await run(['enable', 'browser'], edge);
    expect(edge.err).toContain('None of the tools of browser is built yet');
  });

  test.each([
    ['fiel', 'Did you mean file?'],
    ['read_file', "'read_file' is a tool of the toolset file"],
    ['everything', 'There are web, terminal, file,'],
  ])('refuse %s', async (name, hint) => {
    const edge = edgeWith('toolsets: [todo]\n');
    await expect(run(['enable', 'web', name], edge)).rejects.toThrow(hint);
    expect(fileOf(edge)).toBe('toolsets: [todo]\n');
  });

  test('tell the line to write where the file cannot be changed', async () => {
    const edge = edgeWith('a: &x {enabled: true}\nplatforms: {web: *x}\n');
    await expect(run(['disable', 'todo', '--platform', 'web'], edge)).rejects.toThrow(
      /platforms\.web is no section of its own.*Write it there yourself: platforms\.web\.toolsets: \[web, /,
    );
  });

  test('touch no settings that have problems', async () => {
    const edge = edgeWith('log: {level: loud}\n');
    await expect(run(['disable', 'todo'], edge)).rejects.toMatchObject({ code: 'invalid-settings' });
    expect(fileOf(edge)).toBe('log: {level: loud}\n');
  });
});

test.each([
  [[], 'write list'],
  [['enable'], 'write list'],
  [['list', 'file'], 'not expected'],
  [['list', '--platform', 'telegarm'], 'Did you mean telegram?'],
  [['enable', 'file', '--json'], '--json goes with list'],
])('%j is wrong usage', async (args, message) => {
  await expect(run(args, new FakeEdge())).rejects.toThrow(message);
});
