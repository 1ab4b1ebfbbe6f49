/**
 * Changes the skills of the home.
 * 1. Only below the home's folder of skills, judged after resolving links, and only in skills that lie there.
 * 2. A file is written whole beside its place and renamed: a crash leaves the old one or the new one.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import { toPlainText } from '../core/plain-text.js';
import { type SkillEditor, toSkillName } from '../core/skill.js';
import type { WorkspaceFiles } from '../core/tool.js';
import { findSkills } from './find-skills.js';
import { namePattern, parseSkill } from './parse-skill.js';

const MAX_CHARACTERS = 100_000;
const MAX_PATH = 200;
/** No dots first, no colons, no blanks at an end: what every file system keeps as it is. */
const partPattern = /^[A-Za-z0-9_][\w .()+-]{0,99}$/u;

export interface SkillEditorDeps {
  /** Absolute; the operator's skills. */
  readonly homeFolder: string;
  filesIn(folder: string): WorkspaceFiles;
}

const refuse = (code: ToolError['code'], message: string): ToolError =>
  new ToolError({ code, message, retry: never });

const checkPath = (path: string): string => {
  const parts = path.split('/');
  if (path.length > MAX_PATH || isAbsolute(path) || !parts.every((part) => partPattern.test(part)))
    throw refuse('invalid-input', `'${path}' is no path of a file inside a skill, like references/notes.md.`);
  return path;
};

const checkText = (text: string): string => {
  if (text.length > MAX_CHARACTERS)
    throw refuse(
      'invalid-input',
      `The text has ${text.length} characters; a file of a skill takes ${MAX_CHARACTERS}.`,
    );
  const plain = toPlainText(text);
  return plain.endsWith('\n') ? plain : `${plain}\n`;
};

/** Every SKILL.md says what it is for, or no list could offer it. */
const checkSkill = (text: string, name: string): string => {
  const checked = checkText(text);
  const parsed = parseSkill(checked, name);
  if (!/^---\n/u.test(checked) || parsed === undefined || parsed.description === '' || parsed.text === '')
    throw refuse(
      'invalid-input',
      `SKILL.md has to begin with a head and go on with the guidance:\n---\nname: ${name}\ndescription: when to use it\n---\n…`,
    );
  if (parsed.name !== name)
    throw refuse('invalid-input', `The head of SKILL.md names it '${parsed.name}', but it is '${name}'.`);
  return checked;
};

const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
};

const assertInside = async (path: string, root: string): Promise<void> => {
  const way = relative(await realpath(root), await realpath(path));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw refuse('not-allowed', 'That leads out of the folder of skills.');
};

/** Also where the folder is not there yet: then the nearest that is counts. */
const makeFolder = async (folder: string, root: string): Promise<void> => {
  let nearest = folder;
  while (!(await isThere(nearest))) nearest = dirname(nearest);
  await assertInside(nearest, root);
  await mkdir(folder, { recursive: true, mode: 0o700 });
};

const replace = async (path: string, text: string): Promise<void> => {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
};

export const createSkillEditor = ({ homeFolder, filesIn }: SkillEditorDeps): SkillEditor => {
  const locate = async (name: string): Promise<string | undefined> => {
    const wanted = toSkillName(name);
    const found = await findSkills(filesIn(homeFolder), homeFolder, 'home');
    return found.find((skill) => skill.name === wanted)?.folder;
  };
  const existing = async (name: string): Promise<string> => {
    const folder = await locate(name);
    if (folder === undefined)
      throw refuse('not-found', `There is no skill '${name}' in the home; others cannot be changed.`);
    await assertInside(folder, homeFolder);
    return folder;
  };
  return {
    create: async (given, text) => {
      const name = toSkillName(given);
      if (!namePattern.test(name))
        throw refuse('invalid-input', `'${given}' is no name: small letters, digits and dashes, 64 at most.`);
      const checked = checkSkill(text, name);
      const folder = join(homeFolder, name);
      if ((await locate(name)) !== undefined || (await isThere(folder)))
        throw refuse('invalid-input', `There is a skill '${name}' already. Edit it, or take another name.`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replace(join(folder, 'SKILL.md'), checked);
    },
    write: async (name, text, path = 'SKILL.md') => {
      const checked = path === 'SKILL.md' ? checkSkill(text, toSkillName(name)) : checkText(text);
      const file = join(await existing(name), checkPath(path));
      await makeFolder(dirname(file), homeFolder);
      await replace(file, checked);
    },
    remove: async (name, path) => {
      const folder = await existing(name);
      if (path === undefined) return rm(folder, { recursive: true });
      if (path === 'SKILL.md')
        throw refuse('invalid-input', 'A skill without SKILL.md is none. Delete the skill as a whole.');
      const file = join(folder, checkPath(path));
      if (!(await isThere(file))) throw refuse('not-found', `The skill '${name}' has no file ${path}.`);
      await assertInside(dirname(file), homeFolder);
      await rm(file, { recursive: true });
    },
  };
};
