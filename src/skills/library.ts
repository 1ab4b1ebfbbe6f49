import { join } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import { toPlainText } from '../core/plain-text.js';
import {
  type Skill,
  type SkillLibrary,
  type SkillScope,
  type SkillSummary,
  toSkillName,
} from '../core/skill.js';
import type { WorkspaceFiles } from '../core/tool.js';
import { type FoundSkill, findSkills, listSkillFiles } from './find-skills.js';

const MAX_FILE_BYTES = 256 * 1024;

export interface SkillLibraryDeps {
  /** Absolute; the operator's skills. */
  readonly homeFolder: string;
  /** Absolute; where the agent works now. Its skills lie in `skills` below it. */
  workspace(): string;
  /** Reads below a folder, and nowhere else. */
  filesIn(folder: string): WorkspaceFiles;
}

const toSummary = ({ name, description, place, category }: FoundSkill): SkillSummary => ({
  name,
  description,
  place,
  ...(category !== undefined && { category }),
});

const refuse = (code: ToolError['code'], message: string): ToolError =>
  new ToolError({ code, message, retry: never });

export const createSkillLibrary = ({ homeFolder, workspace, filesIn }: SkillLibraryDeps): SkillLibrary => {
  let known: ReadonlySet<string> = new Set();
  const places = (scope: SkillScope) => [
    { root: homeFolder, place: 'home' as const },
    { root: join(scope.workspace ?? workspace(), 'skills'), place: 'workspace' as const },
  ];
  const all = async (scope: SkillScope): Promise<readonly FoundSkill[]> => {
    const found = await Promise.all(
      places(scope).map(({ root, place }) => findSkills(filesIn(root), root, place)),
    );
    const byName = new Map<string, FoundSkill>();
    for (const skill of found.flat()) if (!byName.has(skill.name)) byName.set(skill.name, skill);
    return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  };
  const findIn = async (name: string, scope: SkillScope): Promise<FoundSkill | undefined> => {
    const wanted = toSkillName(name);
    return (await all(scope)).find((skill) => skill.name === wanted);
  };
  const filesOf = ({ folder, path }: FoundSkill): WorkspaceFiles =>
    filesIn(folder.slice(0, folder.length - path.length - 1));

  return {
    list: async (scope = {}) => {
      const skills = await all(scope);
      known = new Set(skills.map(({ name }) => name));
      return skills.map(toSummary);
    },
    find: async (name, scope = {}): Promise<Skill | undefined> => {
      const skill = await findIn(name, scope);
      if (skill === undefined) return undefined;
      const { folder, text } = skill;
      return { ...toSummary(skill), folder, text, files: await listSkillFiles(filesOf(skill), skill.path) };
    },
    readFile: async (name, path) => {
      const skill = await findIn(name, {});
      if (skill === undefined) throw refuse('not-found', `There is no skill '${name}'.`);
      // A folder of files of its own: `..` leads out of it, and that is refused there.
      const { bytes, sizeBytes } = await filesIn(skill.folder).read(path, { maxBytes: MAX_FILE_BYTES });
      if (bytes.subarray(0, 8192).includes(0))
        throw refuse(
          'invalid-input',
          `'${path}' of the skill ${skill.name} is no text (${sizeBytes} bytes).`,
        );
      const text = toPlainText(new TextDecoder().decode(bytes));
      return sizeBytes > bytes.length ? `${text}\n[… cut after ${bytes.length} of ${sizeBytes} bytes]` : text;
    },
    knows: (name) => known.has(toSkillName(name)),
  };
};
