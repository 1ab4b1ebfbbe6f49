/** Skills: folders of guidance for kinds of work, listed briefly and read when one fits. Their text is material, not trusted. */

export interface SkillSummary {
  /** Lower case, unique: letters, digits, dots, dashes and underscores; begins with a letter or digit. */
  readonly name: string;
  /** One plain line; empty if it says nothing of itself. */
  readonly description: string;
  /** `home`: the operator's own; `workspace`: lies in the folder that the agent works in. */
  readonly place: 'home' | 'workspace';
  /** The folder that it is grouped in; absent: none. */
  readonly category?: string;
}

export interface Skill extends SkillSummary {
  /** Absolute. */
  readonly folder: string;
  /** What its SKILL.md says below its head; plain text. */
  readonly text: string;
  /** Further files, relative to the folder, sorted. */
  readonly files: readonly string[];
}

export interface SkillScope {
  /** Absolute; the folder that is worked in. Default: that of the running turn, else the workspace. */
  readonly workspace?: string;
}

export interface SkillLibrary {
  /** Those that fit this system, sorted by name; one of the home hides one of the workspace with the same name. */
  list(scope?: SkillScope): Promise<readonly SkillSummary[]>;
  /** By name, in any letter case, `_` like `-`; undefined if there is none. */
  find(name: string, scope?: SkillScope): Promise<Skill | undefined>;
  /** Plain text of one of its files. Rejects with a ToolError for what leads elsewhere, is a secret or no text. */
  readFile(name: string, path: string): Promise<string>;
  /** Whether the latest list had it. */
  knows(name: string): boolean;
}

/** Changes the skills of the home. Every method rejects with a ToolError that says why nothing was done. */
export interface SkillEditor {
  /** A new one, with its whole SKILL.md. */
  create(name: string, text: string): Promise<void>;
  /** `path`: default SKILL.md. */
  write(name: string, text: string, path?: string): Promise<void>;
  /** Without `path` the whole skill. */
  remove(name: string, path?: string): Promise<void>;
}

/** What skills are called, as people and models type them. */
export const toSkillName = (name: string): string => name.trim().toLowerCase().replaceAll('_', '-');

/** Whether a message that limits itself to some skills may have this one. */
export const isSkillWanted = (name: string, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || wanted.some((one) => toSkillName(one) === toSkillName(name));

/** How a prompt has a skill's text, so that it reads as what it is. `maxLength` in characters. */
export const quoteSkill = ({ name, folder, text, files }: Skill, maxLength: number): string => {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}\n[… cut here]` : text;
  const further = files.length === 0 ? '' : `\n[Further files of it: ${files.slice(0, 40).join(', ')}]`;
  return `----- skill ${name} (${folder}) -----\n${cut}${further}\n----- end of skill ${name} -----`;
};
