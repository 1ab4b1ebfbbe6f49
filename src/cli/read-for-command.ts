import { platforms } from '../adapters/index.js';
import { type LoadedSettings, readSettings } from '../config/index.js';
import type { Edge } from './edge.js';
import { formatWarnings } from './format-problems.js';

/** The settings, with warnings told on stderr. Throws a ConfigError with every problem. */
export const readForCommand = async (edge: Edge): Promise<LoadedSettings> => {
  const read = await readSettings({ environment: edge.environment, definitions: platforms });
  edge.stderr.write(formatWarnings(read.warnings));
  if (!read.ok) throw read.error;
  return read;
};
