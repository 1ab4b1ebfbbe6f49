import { readFileSync } from 'node:fs';
import { parseEnvFile, withVariables } from '../../config/env-file.js';
import type { HomePaths } from '../../config/home-paths.js';
import { replaceFile, type SettingChange, withSettings } from '../../config/settings-file.js';
import { CommandFailure } from '../edge.js';

/** What is to be written once all questions are answered. */
export interface Plan {
  /** For .env; undefined takes a variable away. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** For config.yaml. */
  readonly settings: readonly SettingChange[];
}

export const emptyPlan: Plan = { variables: {}, settings: [] };

export const joinPlans = (plans: readonly Plan[]): Plan => ({
  variables: Object.assign({}, ...plans.map(({ variables }) => variables)),
  settings: plans.flatMap(({ settings }) => settings),
});

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

export interface Draft {
  readonly path: string;
  readonly text: string;
  /** What changes, one line each, without secrets. */
  readonly changes: readonly string[];
}

/** The files as they are to be; those that stay as they are are left out. Throws a CommandFailure. */
export const draft = ({ variables, settings }: Plan, paths: HomePaths): readonly Draft[] => {
  const env = readText(paths.envFile);
  const yaml = readText(paths.settingsFile);
  const present = parseEnvFile(env).values;
  const envChanges = Object.entries(variables).flatMap(([name, value]) => {
    if (value === present[name]) return [];
    if (value === undefined) return [`${name} goes`];
    return [`${name} ${present[name] === undefined ? 'is added' : 'is replaced'}`];
  });
  const drafts = [
    { path: paths.envFile, before: env, text: withVariables(env, variables), changes: envChanges },
    {
      path: paths.settingsFile,
      before: yaml,
      text: toYaml(yaml, settings, paths),
      changes: settings.map(({ path, value }) =>
        value === undefined ? `${path.join('.')} goes` : `${path.join('.')}: ${value}`,
      ),
    },
  ];
  return drafts.filter(({ before, text }) => before !== text);
};

const toYaml = (text: string, settings: readonly SettingChange[], { settingsFile }: HomePaths): string => {
  try {
    return withSettings(text, settings);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const lines = settings.map(({ path, value }) => `${path.join('.')}: ${value ?? '(remove it)'}`);
    throw new CommandFailure(
      `${settingsFile} cannot be changed (${reason}). Write it there yourself: ${lines.join('; ')}`,
    );
  }
};

/** Each file changes at once or not at all. Throws a CommandFailure. */
export const write = (drafts: readonly Draft[]): void => {
  for (const { path, text } of drafts) {
    try {
      replaceFile(path, text);
    } catch (error) {
      throw new CommandFailure(
        `${path} cannot be written (${error instanceof Error ? error.message : String(error)}).`,
      );
    }
  }
};
