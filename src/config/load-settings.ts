/**
 * From files and environment to settings. Environment beats `.env` beats config.yaml beats the schema's defaults; an
 * empty variable counts as not set. Every problem is found in one run, so that mending takes one go.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError, type SettingsProblem } from '../core/errors.js';
import type { PlatformDefinition } from '../core/platform-definition.js';
import type { ToolsetCatalog } from '../core/toolsets.js';
import { checkOwners, checkPlaceholders } from './checks.js';
import { parseEnvFile } from './env-file.js';
import { applyVariables, mergeVariables } from './environment.js';
import { checkHome, type Environment, type HomePaths, locateHome } from './home-paths.js';
import { toProblems } from './problems.js';
import { resolveFallbacks, resolveModel } from './resolve-model.js';
import { createSettingsSchema, type SettingsSchema } from './schema.js';
import { hideSecrets, isSecretName, secretsIn } from './secret-names.js';
import { type LoadedSettings, toSettings } from './settings.js';
import { warnOfToolsets } from './toolset-warnings.js';
import { isTree, type Tree } from './tree.js';
import { warnOfModel, warnOfUnknownKeys, warnOfVariables } from './warnings.js';

export interface LoadOptions {
  readonly environment: Environment;
  readonly definitions: readonly PlatformDefinition[];
  /** Default: names of toolsets are not looked at. */
  readonly toolsets?: ToolsetCatalog;
  /** Text of a file, undefined if there is none; throws what reading throws. Default: from the disk. */
  readonly readFile?: (path: string) => string | undefined;
}

const readFromDisk = (path: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    // Where the home is not even a folder, whoever prepares it has the right words for that.
    const isMissing =
      error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/u.test(String(error.code));
    if (isMissing) return undefined;
    throw error;
  }
};

const unreadable = (path: string, error: unknown): SettingsProblem => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const user = process.getuid === undefined ? '' : ` (user id ${process.getuid()})`;
  const [got, advice] =
    code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? ['bytes that are not UTF-8', 'Save it again as UTF-8.']
      : [code, `Give this user${user} the right to read it, or set HERMES_HOME to another folder.`];
  return { path: basename(path), expected: `a text file that can be read at ${path}`, got, advice };
};

interface Files {
  readonly settingsText: string | undefined;
  readonly envText: string | undefined;
}

const readFiles = (paths: HomePaths, read: (path: string) => string | undefined): Files | ConfigError => {
  const problems: SettingsProblem[] = [];
  const tryRead = (path: string): string | undefined => {
    try {
      return read(path);
    } catch (error) {
      problems.push(unreadable(path, error));
      return undefined;
    }
  };
  const files = { settingsText: tryRead(paths.settingsFile), envText: tryRead(paths.envFile) };
  return problems.length > 0 ? new ConfigError('unreadable-settings', problems) : files;
};

/** The YAML parser is loaded only where there is a file to parse. */
const parseTree = async (text: string | undefined) => {
  if (text === undefined) return { tree: {}, problems: [] };
  const { parseYamlFile } = await import('./yaml-file.js');
  return parseYamlFile(text);
};

interface CheckContext {
  readonly schema: SettingsSchema;
  readonly origins: ReadonlyMap<string, string>;
  readonly definitions: readonly PlatformDefinition[];
}

const textsOf = (value: unknown): Readonly<Record<string, string>> => {
  const entries = isTree(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};

/** Sections are looked at by themselves, so that a slip in one does not hide that of another. */
const checkAcross = (tree: Tree, { schema, definitions }: CheckContext): readonly SettingsProblem[] => {
  const providers = schema.shape.providers.safeParse(tree['providers']).data;
  const fallbacks = schema.shape.fallback_providers.safeParse(tree['fallback_providers']).data;
  const owners = schema.shape.owners.safeParse(tree['owners']).data;
  const named = textsOf(tree['model']);
  const model = providers && resolveModel({ model: { ...named, vision: 'auto' }, providers });
  return [
    ...(model?.ok === false ? model.problems : []),
    ...(providers && fallbacks
      ? resolveFallbacks({ model: { ...named, vision: 'auto' }, providers, fallback_providers: fallbacks })
          .problems
      : []),
    ...(owners ? checkOwners(owners, definitions) : []),
  ];
};

/** In the order of the sections, one for each path: a later check does not know that an earlier one has spoken. */
const arrange = (
  problems: readonly SettingsProblem[],
  schema: SettingsSchema,
): readonly SettingsProblem[] => {
  const order = Object.keys(schema.shape);
  const rank = ({ path }: SettingsProblem): number => order.indexOf(path.split('.')[0] ?? '');
  const first = new Map<string, SettingsProblem>();
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem);
  return [...first.values()].toSorted((one, other) => rank(one) - rank(other));
};

export type ReadSettings =
  | ({ readonly ok: true } & LoadedSettings)
  | { readonly ok: false; readonly error: ConfigError; readonly warnings: readonly string[] };

/** Like {@link loadSettings}, for those who show warnings also where there are problems. Never throws. */
export const readSettings = async (options: LoadOptions): Promise<ReadSettings> => {
  const { environment, definitions, readFile = readFromDisk } = options;
  const paths = locateHome(environment);
  const files = readFiles(paths, readFile);
  if (files instanceof ConfigError) return { ok: false, error: files, warnings: [] };
  const envFile = parseEnvFile(files.envText ?? '');
  const { tree, problems: yamlProblems } = await parseTree(files.settingsText);
  const schema = createSettingsSchema(definitions);
  const early = [
    ...warnOfUnknownKeys(schema, tree),
    ...warnOfVariables(Object.keys(envFile.values), definitions),
  ];
  const variables = mergeVariables(envFile.values, environment);
  const origins = applyVariables(tree, variables, { definitions, schema });

  // Settings are read once: compiling the schema first would double the time.
  const { data: file, error } = schema.safeParse(tree, { jitless: true });
  const resolved = file && resolveModel(file);
  const misplaced = checkHome(paths);
  const problems = [
    ...(misplaced === undefined ? [] : [misplaced]),
    ...yamlProblems,
    ...envFile.problems,
    ...checkPlaceholders(tree),
    ...toProblems(error?.issues ?? [], { schema, tree, origins }),
    ...checkAcross(tree, { schema, origins, definitions }),
  ];
  if (problems.length > 0 || file === undefined || resolved?.ok !== true)
    return {
      ok: false,
      error: new ConfigError('invalid-settings', arrange(problems, schema)),
      warnings: early,
    };

  const secretVariables = [...variables].filter(([name]) => isSecretName(name));
  const settings = toSettings(file, {
    paths,
    model: resolved.model,
    fallbacks: resolveFallbacks(file).models,
    definitions,
    mediaAllowDirs: variables.get('HERMES_MEDIA_ALLOW_DIRS')?.value,
    searchPath: options.environment['PATH'],
    secrets: [...new Set([...secretsIn(file), ...secretVariables.map(([, { value }]) => value)])],
  });
  const warnings = [
    ...early,
    ...warnOfModel(file),
    ...(options.toolsets === undefined ? [] : warnOfToolsets(file, options.toolsets)),
  ];
  return { ok: true, settings, warnings, shown: hideSecrets({ ...file, workspace: settings.workspace }) };
};

/**
 * Throws a ConfigError with every problem at once, free of secrets: `unreadable-settings` if a file is there and cannot
 * be read, else `invalid-settings`. Missing files are fine.
 */
export const loadSettings = async (options: LoadOptions): Promise<LoadedSettings> => {
  const read = await readSettings(options);
  if (!read.ok) throw read.error;
  const { settings, warnings, shown } = read;
  return { settings, warnings, shown };
};
