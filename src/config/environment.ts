/** Variables of the environment and of `.env`, put where config.yaml would have them. */
import type { PlatformDefinition } from '../core/platform-definition.js';
import type { Environment } from './home-paths.js';
import type { SettingsSchema } from './schema.js';
import { kindOf, schemaAt } from './schema-walk.js';
import { formatPath, setAt, type Tree, valueAt } from './tree.js';

interface Variable {
  readonly value: string;
  /** For people: where it was set. */
  readonly origin: string;
}

export type Variables = ReadonlyMap<string, Variable>;

/** An empty variable counts as not set: that is how container tools write "nothing". */
export const mergeVariables = (file: Environment, environment: Environment): Variables => {
  const merged = new Map<string, Variable>();
  const add = (variables: Environment, where: string): void => {
    for (const [name, text] of Object.entries(variables)) {
      const value = text?.trim() ?? '';
      if (value !== '') merged.set(name, { value, origin: `${name} in ${where}` });
    }
  };
  add(file, '.env');
  add(environment, 'the environment');
  return merged;
};

const general: Readonly<Record<string, readonly string[]>> = {
  GATEWAY_ALLOWED_USERS: ['allowed_users'],
  HERMES_TIMEZONE: ['timezone'],
  HERMES_CRON_TIMEOUT: ['cron', 'inactivity_timeout_seconds'],
  HERMES_CRON_SCRIPT_TIMEOUT: ['cron', 'script_timeout_seconds'],
  GROQ_API_KEY: ['stt', 'groq', 'api_key'],
  ELEVENLABS_API_KEY: ['tts', 'elevenlabs', 'api_key'],
};

/** These speak of OpenAI's own service, so they must not reach a model service of another name. */
const openai: Readonly<Record<string, readonly string[]>> = {
  OPENAI_API_KEY: ['model', 'api_key'],
  OPENAI_BASE_URL: ['model', 'base_url'],
};

const ofPlatforms = (
  definitions: readonly PlatformDefinition[],
): Readonly<Record<string, readonly string[]>> => {
  const entries = definitions.flatMap(({ id, environment }) =>
    Object.entries(environment).map(([name, key]) => [name, ['platforms', id, key]] as const),
  );
  return Object.fromEntries(entries);
};

/** Every variable that is looked at, and the setting it stands for; those without a setting of their own have none. */
export const knownVariables = (
  definitions: readonly PlatformDefinition[],
): Readonly<Record<string, readonly string[] | undefined>> => ({
  ...general,
  ...openai,
  ...ofPlatforms(definitions),
  HERMES_HOME: undefined,
  HERMES_MEDIA_ALLOW_DIRS: undefined,
});

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

const splitCommas = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Text as the kind of value that the key wants; text that does not fit stays, for the schema to complain of. */
const toKind = (text: string, kind: string | undefined): unknown => {
  if (kind === 'array') return splitCommas(text);
  if (kind === 'boolean') return truths[text.toLowerCase()] ?? text;
  return kind === 'number' && /^-?\d+$/u.test(text) ? Number(text) : text;
};

/** Changes the tree. Gives back, by dotted path, where a value came from if not from the file. */
export const applyVariables = (
  tree: Tree,
  variables: Variables,
  {
    definitions,
    schema,
  }: { readonly definitions: readonly PlatformDefinition[]; readonly schema: SettingsSchema },
): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>();
  const provider = valueAt(tree, ['model', 'provider']) ?? 'openai';
  const all = { ...general, ...(provider === 'openai' && openai), ...ofPlatforms(definitions) };
  for (const [name, path] of Object.entries(all)) {
    const variable = variables.get(name);
    if (variable === undefined) continue;
    const target = schemaAt(schema, path);
    setAt(tree, path, toKind(variable.value, target && kindOf(target)));
    origins.set(formatPath(path), variable.origin);
  }
  return origins;
};
