/** Names of toolsets and tools in the settings that nothing stands behind. They do no harm: they are left out. */
import { isToolsetName, type ToolsetCatalog, withCustomToolsets } from '../core/toolsets.js';
import { nearest } from './nearest.js';
import type { SettingsFile } from './schema.js';

interface NamedList {
  readonly path: string;
  readonly names: readonly string[];
}

const toolsetLists = ({ toolsets = [], custom_toolsets, platforms }: SettingsFile): readonly NamedList[] => [
  { path: 'toolsets', names: toolsets },
  ...Object.entries(custom_toolsets).map(([name, { includes }]) => ({
    path: `custom_toolsets.${name}.includes`,
    names: includes,
  })),
  ...Object.entries(platforms).flatMap(([id, section]) => {
    // Each section was parsed by its platform's schema, of which this much is common to all.
    const { toolsets: names } = section as { readonly toolsets?: readonly string[] };
    return names === undefined ? [] : [{ path: `platforms.${id}.toolsets`, names }];
  }),
];

const didYouMean = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known);
  return near === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${near}?`;
};

const warnOfNames = ({ path, names }: NamedList, catalog: ToolsetCatalog): readonly string[] => {
  const known = catalog.toolsets.map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const owner = catalog.toolsets.find(({ tools }) => tools.includes(name));
      const hint =
        owner === undefined ? didYouMean(name, known) : `It is a tool of the toolset ${owner.name}.`;
      return `${path}: '${name}' is no toolset, left out. ${hint}`;
    });
};

/** Tools of MCP servers are known only once these are connected. */
const isForeignTool = (name: string): boolean => name.startsWith('mcp_');

const warnOfTools = ({ custom_toolsets }: SettingsFile, builtIn: ToolsetCatalog): readonly string[] => {
  const known = [...new Set(builtIn.toolsets.flatMap(({ tools }) => tools))];
  return Object.entries(custom_toolsets).flatMap(([toolset, { tools }]) =>
    tools
      .filter((name) => !known.includes(name) && !isForeignTool(name))
      .map((name) => {
        const near = nearest(name, known);
        const hint = near === undefined ? '`hermes tools list` shows them all.' : `Did you mean ${near}?`;
        return `custom_toolsets.${toolset}.tools: '${name}' is no tool, left out. ${hint}`;
      }),
  );
};

const warnOfCustomNames = ({ custom_toolsets }: SettingsFile, builtIn: ToolsetCatalog): readonly string[] =>
  Object.keys(custom_toolsets).flatMap((name) => {
    if (!isToolsetName(name))
      return [
        `custom_toolsets.${name}: left out, because a name is made of lower-case letters, digits, _ and -.`,
      ];
    if (builtIn.find(name) === undefined) return [];
    return [
      `custom_toolsets.${name}: left out, because a toolset that comes with the gateway has this name.`,
    ];
  });

export const warnOfToolsets = (file: SettingsFile, builtIn: ToolsetCatalog): readonly string[] => {
  const customs = Object.entries(file.custom_toolsets).map(([name, toolset]) => ({ name, ...toolset }));
  const catalog = withCustomToolsets(builtIn, customs);
  return [
    ...warnOfCustomNames(file, builtIn),
    ...toolsetLists(file).flatMap((list) => warnOfNames(list, catalog)),
    ...warnOfTools(file, builtIn),
  ];
};
