/** What is odd in the settings and does no harm. */
import type { PlatformDefinition } from '../core/platform-definition.js';
import { knownVariables } from './environment.js';
import { nearest } from './nearest.js';
import type { SettingsFile, SettingsSchema } from './schema.js';
import { findUnknownKeys } from './schema-walk.js';
import { formatPath, type Tree } from './tree.js';

export const warnOfUnknownKeys = (schema: SettingsSchema, tree: Tree): readonly string[] =>
  findUnknownKeys(schema, tree).map(({ path, meant }) => {
    const hint = meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`;
    return `${formatPath(path)}: unknown key, ignored. ${hint}`;
  });

/** `.env` may well hold what is meant for others; only what looks like a slip is told. */
export const warnOfVariables = (
  names: readonly string[],
  definitions: readonly PlatformDefinition[],
): readonly string[] => {
  const known = Object.keys(knownVariables(definitions));
  return names.flatMap((name) => {
    if (name === 'HERMES_HOME')
      return [
        '.env: HERMES_HOME has no effect here, because it says where this file is. Set it in the environment.',
      ];
    const meant = known.includes(name) ? undefined : nearest(name, known);
    return meant === undefined ? [] : [`.env: ${name} is not known. Did you mean ${meant}?`];
  });
};

export const warnOfModel = ({ model }: SettingsFile): readonly string[] =>
  model.provider === undefined && model.api_key === undefined && model.base_url !== undefined
    ? [
        'model.base_url: not used, because no key is set. Write `provider: openai` below model: if it needs none.',
      ]
    : [];
