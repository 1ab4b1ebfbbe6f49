import { readFileSync } from 'node:fs';
import { platforms } from '../../adapters/index.js';
import { locateHome } from '../../config/home-paths.js';
import { nearest } from '../../config/nearest.js';
import { replaceFile, withList } from '../../config/settings-file.js';
import { tools } from '../../tools/index.js';
import { toolsets } from '../../tools/toolsets.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';
import { readForCommand } from '../read-for-command.js';
import { tell } from '../tell.js';
import { catalogOf, formatTools, listTools, type ToolScene, toolsetsOf } from '../tool-listing.js';

const sceneOf = async (edge: Edge): Promise<ToolScene> => {
  const { settings } = await readForCommand(edge);
  return { settings, builtIn: toolsets, tools };
};

const assertPlatform = (platform: string | undefined): void => {
  const known = platforms.map(({ id }): string => id);
  if (platform === undefined || known.includes(platform)) return;
  const near = nearest(platform, known);
  const hint = near === undefined ? `There are ${known.join(', ')}` : `Did you mean ${near}?`;
  throw new UsageError(`there is no platform '${platform}'. ${hint}`);
};

const list = async (platform: string | undefined, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const scene = await sceneOf(edge);
  const shown = platforms
    .map(({ id }): string => id)
    .filter((id) => platform === undefined || id === platform)
    .map((id) => listTools(id, scene));
  if (isJson) edge.stdout.write(`${JSON.stringify({ platforms: shown }, null, 2)}\n`);
  else edge.stdout.write(shown.map(formatTools).join('\n'));
  return 0;
};

const unknownToolset = (name: string, scene: ToolScene): string => {
  const catalog = catalogOf(scene);
  const owner = catalog.toolsets.find((toolset) => toolset.tools.includes(name));
  if (owner !== undefined)
    return `'${name}' is a tool of the toolset ${owner.name}, and toolsets are switched as a whole. A custom_toolsets entry in config.yaml can hold some of its tools.`;
  const known = catalog.toolsets.map((toolset) => toolset.name);
  const near = nearest(name, known);
  return `there is no toolset '${name}'. ${near === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${near}?`}`;
};

const assertToolsets = (names: readonly string[], scene: ToolScene): void => {
  const catalog = catalogOf(scene);
  const problems = names
    .filter((name) => catalog.find(name) === undefined)
    .map((name) => unknownToolset(name, scene));
  if (problems.length > 0) throw new CommandFailure(`${problems.join(' ')} Nothing was changed.`);
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

const writeList = (path: readonly string[], names: readonly string[], file: string): void => {
  try {
    replaceFile(file, withList(readText(file), path, names));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const line = `${path.join('.')}: [${names.join(', ')}]`;
    throw new CommandFailure(`${file} cannot be changed (${reason}). Write it there yourself: ${line}`);
  }
};

/** Tools that stay, because another toolset that is on has them too. */
const stillThere = (off: readonly string[], after: readonly string[], scene: ToolScene) => {
  const catalog = catalogOf(scene);
  const left = new Set(catalog.toolsOf(after));
  return catalog
    .toolsOf(off)
    .filter((tool) => left.has(tool) && scene.tools.some(({ name }) => name === tool));
};

const tellRemarks = (
  names: readonly string[],
  after: readonly string[],
  isOn: boolean,
  scene: ToolScene,
  edge: Edge,
) => {
  const catalog = catalogOf(scene);
  const built = new Set(scene.tools.map(({ name }) => name));
  const empty = isOn ? names.filter((name) => !catalog.toolsOf([name]).some((tool) => built.has(tool))) : [];
  if (empty.length > 0)
    tell(
      edge.stderr,
      `None of the tools of ${empty.join(', ')} is built yet; they come with a later version.\n`,
    );
  const left = isOn ? [] : stillThere(names, after, scene);
  if (left.length > 0)
    tell(edge.stderr, `${left.join(', ')} stay, because another toolset that is on has them too.\n`);
};

const change = async (
  isOn: boolean,
  names: readonly string[],
  platform: string | undefined,
  edge: Edge,
): Promise<ExitCode> => {
  const scene = await sceneOf(edge);
  assertToolsets(names, scene);
  const before = toolsetsOf(platform, scene);
  const after = isOn ? [...new Set([...before, ...names])] : before.filter((name) => !names.includes(name));
  const where = platform === undefined ? 'every platform without a list of its own' : platform;
  const state = isOn ? 'on' : 'off';
  if (after.length === before.length) {
    tell(edge.stderr, `${names.join(', ')}: ${state} already for ${where}. Nothing was changed.\n`);
    return 0;
  }
  const path = platform === undefined ? ['toolsets'] : ['platforms', platform, 'toolsets'];
  writeList(path, after, locateHome(edge.environment).settingsFile);
  tellRemarks(names, after, isOn, scene, edge);
  const own = platform === undefined ? withOwnLists(scene) : [];
  if (own.length > 0)
    tell(edge.stderr, `${own.join(', ')}: unchanged, with a list of their own (--platform changes it).\n`);
  tell(edge.stderr, `${names.join(', ')}: ${state} for ${where}, in conversations that begin from now on.\n`);
  return 0;
};

const withOwnLists = ({ settings }: ToolScene): readonly string[] =>
  settings.platforms
    .filter(({ section }) => section.toolsets !== undefined)
    .map(({ definition }) => definition.id);

const usage = 'write list, enable TOOLSET or disable TOOLSET';

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean' },
    platform: { type: 'string' },
  });
  const [action, ...names] = positionals;
  const { platform } = values;
  assertPlatform(platform);
  if (action === 'list') {
    refuseWords(names);
    return list(platform, values.json === true, edge);
  }
  if (action !== 'enable' && action !== 'disable') throw new UsageError(usage);
  if (names.length === 0) throw new UsageError(usage);
  if (values.json === true) throw new UsageError('--json goes with list');
  return change(action === 'enable', [...new Set(names)], platform, edge);
};
