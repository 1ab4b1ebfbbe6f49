/**
 * Skills below one folder. The folder is read through a port that follows no link out of it and opens no secrets, so a
 * skill can name nothing else; what cannot be read is left out, never an error for the whole list.
 */
import { join } from 'node:path';
import type { Skill } from '../core/skill.js';
import type { WorkspaceFiles } from '../core/tool.js';
import { parseSkill } from './parse-skill.js';

/** A skill folder may lie in a folder of its category, and that in one more. */
const MAX_DEPTH = 3;
const MAX_SKILLS = 300;
const MAX_FOLDERS = 2_000;
const MAX_SKILL_BYTES = 256 * 1024;
const MAX_FILES = 200;

export interface FoundSkill extends Omit<Skill, 'files' | 'text'> {
  /** Relative to where it was looked for. */
  readonly path: string;
  readonly text: string;
}

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'macos',
  linux: 'linux',
  win32: 'windows',
};

const decoder = new TextDecoder();

const listOrNothing = async (files: WorkspaceFiles, path: string): Promise<readonly string[]> => {
  try {
    return await files.list(path);
  } catch {
    return [];
  }
};

const readSkill = async (
  files: WorkspaceFiles,
  root: string,
  path: string,
  place: Skill['place'],
): Promise<FoundSkill | undefined> => {
  let raw: string;
  try {
    const { bytes } = await files.read(join(path, 'SKILL.md'), { maxBytes: MAX_SKILL_BYTES });
    raw = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  const parts = path.split('/');
  const parsed = parseSkill(raw, parts.at(-1) ?? '');
  if (parsed === undefined) return undefined;
  const { name, description, platforms, text } = parsed;
  if (platforms.length > 0 && !platforms.includes(systems[process.platform] ?? '')) return undefined;
  const category = parts.slice(0, -1).join('/');
  const folder = join(root, path);
  return { name, description, place, path, text, folder, ...(category !== '' && { category }) };
};

/** In the order of their paths; names may repeat. */
export const findSkills = async (
  files: WorkspaceFiles,
  root: string,
  place: Skill['place'],
): Promise<readonly FoundSkill[]> => {
  const found: FoundSkill[] = [];
  let folders = 0;
  const walk = async (path: string, depth: number): Promise<void> => {
    folders += 1;
    if (folders > MAX_FOLDERS || found.length >= MAX_SKILLS) return;
    const names = await listOrNothing(files, path);
    if (depth > 0 && names.includes('SKILL.md')) {
      const skill = await readSkill(files, root, path, place);
      if (skill !== undefined) found.push(skill);
      return;
    }
    if (depth === MAX_DEPTH) return;
    for (const name of names)
      if (name.endsWith('/') && !name.startsWith('.')) await walk(join(path, name.slice(0, -1)), depth + 1);
  };
  await walk('.', 0);
  return found;
};

/** Files of a skill besides its SKILL.md, relative to it. */
export const listSkillFiles = async (files: WorkspaceFiles, path: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const name of await listOrNothing(files, join(path, below))) {
      if (found.length >= MAX_FILES || name.startsWith('.')) continue;
      if (!name.endsWith('/')) found.push(join(below, name));
      else if (depth < MAX_DEPTH) await walk(join(below, name), depth + 1);
    }
  };
  await walk('.', 0);
  return found.filter((name) => name !== 'SKILL.md').toSorted();
};
