/** What no schema of a single key can see. */
import type { SettingsProblem } from '../core/errors.js';
import type { PlatformDefinition } from '../core/platform-definition.js';
import { nearest } from './nearest.js';
import type { SettingsFile } from './schema.js';
import { isSecretName } from './secret-names.js';
import { formatPath, type Tree, walkScalars } from './tree.js';

const placeholder =
  /^(?:undefined|null|none|nil|change[-_ ]?me|placeholder|example|token|secret|password|api[-_]?key|x{3,}|\.{3}|…|<.*>|\$\{?\w+\}?|(?:paste|insert|your)[-_ ].*|.*[-_ ]here)$/iu;

/** No platform has credentials this short, and they could not be told from ordinary words when hiding them in logs. */
const MIN_CREDENTIAL_CHARACTERS = 8;

/** Credentials that somebody meant to fill in later. They are no secrets, so they are shown. */
export const checkPlaceholders = (tree: Tree): readonly SettingsProblem[] => {
  const problems: SettingsProblem[] = [];
  walkScalars(tree, (value, path) => {
    const key = path.at(-1);
    if (typeof value !== 'string' || value === '' || typeof key !== 'string' || !isSecretName(key)) return;
    const isTooShort = path[0] === 'platforms' && value.length < MIN_CREDENTIAL_CHARACTERS;
    if (!isTooShort && !placeholder.test(value.trim())) return;
    problems.push({
      path: formatPath(path),
      expected: `a real ${key.replaceAll('_', ' ')}`,
      got: isTooShort ? `only ${value.length} characters` : `the placeholder ${JSON.stringify(value)}`,
      advice: /^\$/u.test(value)
        ? 'Variables are not filled in here: write the value itself, or set the variable that README names for it.'
        : 'Write the real one, or remove the line.',
    });
  });
  return problems;
};

export const checkOwners = (
  owners: SettingsFile['owners'],
  definitions: readonly PlatformDefinition[],
): readonly SettingsProblem[] => {
  const known = [...new Set(definitions.map(({ id }): string => id))];
  return owners.flatMap((owner, index) => {
    const platform = owner.slice(0, owner.indexOf(':'));
    if (known.includes(platform)) return [];
    const right = nearest(platform, known) ?? known[0] ?? platform;
    const advice = `Write "${right}${owner.slice(platform.length)}".`;
    const expected = `one of the platforms ${known.join(', ')} before the colon`;
    return [{ path: `owners.${index}`, expected, got: JSON.stringify(owner), advice }];
  });
};
