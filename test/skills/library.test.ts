import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWorkspaceFiles } from '../../src/host/index.js';
import { createSkillEditor, createSkillLibrary } from '../../src/skills/index.js';

const head = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n`;

const aHome = async (files: Readonly<Record<string, string>> = {}) => {
  const base = await mkdtemp(join(tmpdir(), 'hermes-skills-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  const workspace = join(base, 'work');
  const homeFolder = join(home, 'skills');
  for (const folder of [homeFolder, workspace, join(base, 'outside')])
    await mkdir(folder, { recursive: true });
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  };
  for (const [path, text] of Object.entries(files)) await put(path, text);
  const filesIn = (root: string) => createWorkspaceFiles({ workspace: root, home });
  const library = createSkillLibrary({ homeFolder, workspace: () => workspace, filesIn });
  return { base, homeFolder, put, library, editor: createSkillEditor({ homeFolder, filesIn }) };
};

describe('the library of skills', () => {
  test('lists folders with a SKILL.md by name, those of the home before those of the workspace', async () => {
    const { library } = await aHome({
      'home/skills/report/SKILL.md': `${head('report', 'Weekly reports')}Write three points.`,
      'home/skills/office/Letters/SKILL.md': '# Letters\n\nHow letters are written.\n',
      'work/skills/report/SKILL.md': `${head('report', 'Another')}No.`,
      'work/skills/deploy/SKILL.md': `${head('deploy', 'Rolling out')}Do it.`,
      'home/skills/empty/notes.md': 'no skill',
    });
    expect(await library.list()).toEqual([
      { name: 'deploy', description: 'Rolling out', place: 'workspace' },
      { name: 'letters', description: 'How letters are written.', place: 'home', category: 'office' },
      { name: 'report', description: 'Weekly reports', place: 'home' },
    ]);
    expect(library.knows('Deploy')).toBe(true);
    expect(library.knows('empty')).toBe(false);
  });

  test('leaves out those of other systems', async () => {
    const other = process.platform === 'win32' ? 'macos' : 'windows';
    const { library } = await aHome({
      'home/skills/a/SKILL.md': `${head('a', 'x', `platforms: [${other}]\n`)}x`,
      'home/skills/b/SKILL.md': `${head('b', 'x', 'platforms: [macos, linux, windows]\n')}x`,
    });
    expect((await library.list()).map(({ name }) => name)).toEqual(['b']);
  });

  test('reads one whole, with its files, whatever its name is typed like', async () => {
    const { library, homeFolder } = await aHome({
      'home/skills/weekly-report/SKILL.md': `${head('weekly-report', 'Reports')}Three points.\n`,
      'home/skills/weekly-report/references/style.md': 'short',
      'home/skills/weekly-report/.hidden': 'x',
    });
    expect(await library.find('Weekly_Report')).toMatchObject({
      name: 'weekly-report',
      text: 'Three points.',
      folder: join(homeFolder, 'weekly-report'),
      files: ['references/style.md'],
    });
    expect(await library.readFile('weekly-report', 'references/style.md')).toBe('short');
    expect(await library.find('nothing')).toBeUndefined();
  });

  test.each([
    ['no head at all', 'Just text.\n', 'Just text.'],
    ['a head that is no YAML', '---\nname: [\n---\nText.', 'Text.'],
    ['a head of aliases', '---\na: &a [x]\nb: *a\n---\nText.', 'Text.'],
    ['direction marks and tags', `---\ndescription: "a\u202Eb\u{E0041}c\\u0007"\n---\nText\u0000.`, 'abc'],
  ])('takes %s', async (_what, text, description) => {
    const { library } = await aHome({ 'home/skills/odd/SKILL.md': text });
    expect(await library.list()).toEqual([{ name: 'odd', description, place: 'home' }]);
    expect((await library.find('odd'))?.text).toMatch(/^(?:Text|Just text)\.$/);
  });

  test('SC-10 leads out of no skill: not by names, paths or links', async () => {
    const { base, library, homeFolder } = await aHome({
      'home/skills/real/SKILL.md': `${head('real', 'x')}x`,
      'home/skills/real/.env': 'KEY=secret',
      'home/.env': 'KEY=secret',
      'outside/SKILL.md': `${head('outside', 'x')}secret`,
    });
    await symlink(join(base, 'outside'), join(homeFolder, 'linked'));
    await mkdir(join(homeFolder, 'trick'));
    await symlink(join(base, 'outside', 'SKILL.md'), join(homeFolder, 'trick', 'SKILL.md'));
    await symlink(join(base, 'outside', 'SKILL.md'), join(homeFolder, 'real', 'link.md'));
    expect((await library.list()).map(({ name }) => name)).toEqual(['real']);
    for (const name of ['../outside', '../../outside', 'linked', '/etc', 'real/../../../outside'])
      expect(await library.find(name)).toBeUndefined();
    for (const path of [
      '../../.env',
      '.env',
      'link.md',
      '/etc/hostname',
      '../real/../../../outside/SKILL.md',
    ])
      await expect(library.readFile('real', path)).rejects.toThrow(/outside|secrets|no '/u);
  });
});

describe('the editor of skills', () => {
  const text = `${head('notes', 'How notes are kept')}One file a day.\n`;

  test('creates, changes and deletes those of the home', async () => {
    const { library, editor } = await aHome();
    await editor.create('notes', text);
    await editor.write('notes', 'an example', 'examples/one.md');
    expect(await library.find('notes')).toMatchObject({
      text: 'One file a day.',
      files: ['examples/one.md'],
    });
    await editor.write('notes', text.replace('One file', 'Two files'));
    expect((await library.find('notes'))?.text).toBe('Two files a day.');
    await editor.remove('notes', 'examples/one.md');
    expect((await library.find('notes'))?.files).toEqual([]);
    await editor.remove('notes');
    expect(await library.list()).toEqual([]);
  });

  test.each([
    ['../outside', text],
    ['', text],
    ['notes', 'no head'],
    ['notes', head('other', 'x')],
    ['notes', `${head('other', 'x')}text`],
    ['notes', `${text}${'x'.repeat(100_001)}`],
  ])('refuses to create %s with what does not fit', async (name, content) => {
    const { library, editor } = await aHome();
    await expect(editor.create(name, content)).rejects.toMatchObject({ name: 'ToolError' });
    expect(await library.list()).toEqual([]);
  });

  test('SC-10 writes and deletes nowhere else', async () => {
    const { base, homeFolder, library, editor } = await aHome({
      'work/skills/theirs/SKILL.md': `${head('theirs', 'x')}x`,
    });
    await editor.create('notes', text);
    await expect(editor.create('notes', text)).rejects.toThrow('already');
    for (const path of ['../x', '/tmp/x', 'a/../../x', '.env', 'a\0b', 'x'.repeat(300), ''])
      await expect(editor.write('notes', 'x', path)).rejects.toMatchObject({ name: 'ToolError' });
    await symlink(join(base, 'outside'), join(homeFolder, 'notes', 'out'));
    await expect(editor.write('notes', 'x', 'out/new/x.md')).rejects.toThrow('leads out');
    await expect(editor.remove('notes', 'out/x.md')).rejects.toMatchObject({ name: 'ToolError' });
    await expect(editor.write('theirs', 'x', 'x.md')).rejects.toThrow('no skill');
    await expect(editor.remove('theirs')).rejects.toThrow('no skill');
    await expect(editor.remove('notes', 'SKILL.md')).rejects.toThrow('as a whole');
    expect((await library.list()).map(({ name }) => name)).toEqual(['notes', 'theirs']);
  });
});
