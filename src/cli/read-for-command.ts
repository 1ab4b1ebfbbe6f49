import { platforms } from '../adapters/index.js';
import { type LoadedSettings, locateHome, type ReadSettings, readSettings } from '../config/index.js';
import { toolsets } from '../tools/toolsets.js';
import type { Edge } from './edge.js';
import { formatWarnings } from './format-problems.js';
import { warnOfOpenEnvFile } from './open-env-file.js';
import { tell } from './tell.js';

/** The settings as the loader sees them, and warnings also of what only the disk knows. Never throws. */
export const readWithWarnings = async ({ environment }: Edge): Promise<ReadSettings> => {
  const read = await readSettings({ environment, definitions: platforms, toolsets });
  const { envFile } = locateHome(environment);
  return { ...read, warnings: [...read.warnings, ...warnOfOpenEnvFile(envFile)] };
};

/** The settings, with warnings told on stderr. Throws a ConfigError with every problem. */
export const readForCommand = async (edge: Edge): Promise<LoadedSettings> => {
  const read = await readWithWarnings(edge);
  tell(edge.stderr, formatWarnings(read.warnings));
  if (!read.ok) throw read.error;
  return read;
};
