/** Which tools each platform has, and why. */
import type { Settings } from '../config/index.js';
import type { Tool } from '../core/tool.js';
import { chosenToolsets, type ToolsetCatalog, withCustomToolsets } from '../core/toolsets.js';

export interface ListedToolset {
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly tools: readonly { readonly name: string; readonly isBuilt: boolean }[];
}

export interface PlatformTools {
  readonly platform: string;
  /** Where the list stands: a path in config.yaml, or `default`. */
  readonly source: string;
  readonly toolsets: readonly ListedToolset[];
  /** What conversations that begin now are offered. */
  readonly tools: readonly string[];
}

export interface ToolScene {
  readonly settings: Settings;
  /** The toolsets that come with the gateway. */
  readonly builtIn: ToolsetCatalog;
  readonly tools: readonly Pick<Tool, 'name'>[];
}

export const catalogOf = ({ settings, builtIn }: ToolScene): ToolsetCatalog =>
  withCustomToolsets(builtIn, settings.toolsets.custom);

const ownList = ({ settings }: ToolScene, platform: string): readonly string[] | undefined =>
  settings.platforms.find(({ definition }) => definition.id === platform)?.section.toolsets;

/** The toolsets of a platform; of all without a list of their own, if none is named. */
export const toolsetsOf = (platform: string | undefined, scene: ToolScene): readonly string[] => {
  const { everywhere } = scene.settings.toolsets;
  const own = platform === undefined ? undefined : ownList(scene, platform);
  return chosenToolsets(catalogOf(scene), platform ?? '', { own, everywhere });
};

const sourceOf = (platform: string, scene: ToolScene): string => {
  if (ownList(scene, platform) !== undefined) return `platforms.${platform}.toolsets`;
  return scene.settings.toolsets.everywhere === undefined ? 'default' : 'toolsets';
};

export const listTools = (platform: string, scene: ToolScene): PlatformTools => {
  const catalog = catalogOf(scene);
  const built = new Set(scene.tools.map(({ name }) => name));
  const chosen = toolsetsOf(platform, scene);
  return {
    platform,
    source: sourceOf(platform, scene),
    toolsets: catalog.toolsets.map(({ name, description }) => ({
      name,
      description,
      isOn: chosen.includes(name),
      tools: catalog.toolsOf([name]).map((tool) => ({ name: tool, isBuilt: built.has(tool) })),
    })),
    tools: catalog.toolsOf(chosen).filter((tool) => built.has(tool)),
  };
};

const sourceWords = (source: string): string => (source === 'default' ? 'no list, so all' : source);

export const formatTools = ({ platform, source, toolsets }: PlatformTools): string => {
  const width = Math.max(...toolsets.map(({ name }) => name.length));
  const rows = toolsets.map(({ name, isOn, tools }) => {
    const built = tools.filter(({ isBuilt }) => isBuilt).map((tool) => tool.name);
    const what = built.length === 0 ? '(not built yet)' : built.join(', ');
    return `  ${isOn ? 'on ' : 'off'}  ${name.padEnd(width)}  ${what}`;
  });
  return `${platform} (${sourceWords(source)})\n${rows.join('\n')}\n`;
};
