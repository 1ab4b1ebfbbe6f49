/** Named groups of tools. Which of their tools there are is not their matter: a group may name one that is not built. */

export interface Toolset {
  /** Lower-case letters, digits, underscores, hyphens. */
  readonly name: string;
  /** For people. */
  readonly description: string;
  readonly tools: readonly string[];
  /** Names of toolsets whose tools it has too. */
  readonly includes: readonly string[];
}

/** Immutable; another toolset makes another catalog. */
export interface ToolsetCatalog {
  /** In the order they were given. */
  readonly toolsets: readonly Toolset[];
  /** What a platform has where the settings name nothing. */
  defaultsOf(platform: string): readonly string[];
  find(name: string): Toolset | undefined;
  /** Every tool of these toolsets and of what they include, sorted. A name that is not known has none. */
  toolsOf(names: readonly string[]): readonly string[];
}

const validName = /^[a-z][a-z0-9_-]{0,63}$/u;

export const isToolsetName = (name: string): boolean => validName.test(name);

/** Throws for a name that comes twice or is none, and for an included name that is not there: a programming error. */
export const createToolsetCatalog = (
  toolsets: readonly Toolset[],
  defaultsOf: ToolsetCatalog['defaultsOf'],
): ToolsetCatalog => {
  const byName = new Map<string, Toolset>();
  for (const toolset of toolsets) {
    if (!isToolsetName(toolset.name)) throw new Error(`'${toolset.name}' is no name for a toolset`);
    if (byName.has(toolset.name)) throw new Error(`two toolsets are named ${toolset.name}`);
    byName.set(toolset.name, toolset);
  }
  for (const { name, includes } of toolsets)
    for (const included of includes)
      if (!byName.has(included)) throw new Error(`${name} includes ${included}, which is no toolset`);
  return {
    toolsets: Object.freeze([...byName.values()]),
    defaultsOf,
    find: (name) => byName.get(name),
    toolsOf: (names) => collectTools(names, byName),
  };
};

/** Circles of toolsets that include each other are walked once. */
const collectTools = (names: readonly string[], byName: ReadonlyMap<string, Toolset>): readonly string[] => {
  const seen = new Set<string>();
  const tools = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const toolset = byName.get(name);
    if (toolset === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const tool of toolset.tools) tools.add(tool);
    waiting.push(...toolset.includes);
  }
  return [...tools].toSorted();
};

/** A toolset as an operator or a program describes it. */
export interface CustomToolset {
  readonly name: string;
  readonly description?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
}

/**
 * A catalog with one more toolset, made of tools and of toolsets that are there. Throws an Error that says what is wrong
 * with it: a name that is taken or none, an included toolset that is not there.
 */
export const createCustomToolset = (
  catalog: ToolsetCatalog,
  { name, description = '', tools = [], includes = [] }: CustomToolset,
): ToolsetCatalog =>
  createToolsetCatalog([...catalog.toolsets, { name, description, tools, includes }], catalog.defaultsOf);

/** Several at once, which may include each other; what cannot be used is left out. */
export const withCustomToolsets = (
  catalog: ToolsetCatalog,
  customs: readonly CustomToolset[],
): ToolsetCatalog => {
  const usable = customs.filter(({ name }) => isToolsetName(name) && catalog.find(name) === undefined);
  const known = new Set([...catalog.toolsets, ...usable].map(({ name }) => name));
  const added = usable.map(({ name, description = '', tools = [], includes = [] }) => ({
    name,
    description,
    tools,
    includes: includes.filter((included) => known.has(included)),
  }));
  return added.length === 0
    ? catalog
    : createToolsetCatalog([...catalog.toolsets, ...added], catalog.defaultsOf);
};

/** What the settings say of toolsets. */
export interface ToolsetChoice {
  /** For platforms without a list of their own; absent: the catalog's defaults. */
  readonly everywhere?: readonly string[] | undefined;
  readonly custom: readonly CustomToolset[];
}

/** The toolsets of a platform: its own list, else the one for all, else the defaults. */
export const chosenToolsets = (
  catalog: ToolsetCatalog,
  platform: string,
  lists: {
    readonly own?: readonly string[] | undefined;
    readonly everywhere?: readonly string[] | undefined;
  },
): readonly string[] => lists.own ?? lists.everywhere ?? catalog.defaultsOf(platform);
