import { statSync } from 'node:fs';
import { locateHome, type Settings } from '../config/index.js';
import type { Edge } from './edge.js';
import { readWithWarnings } from './read-for-command.js';

/** What tells whether a file was written since. */
export const stateOf = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : [stats.ino, stats.size, stats.mtimeMs].join(' ');
};

/** The settings as they are now, read anew only when a file has changed; undefined while they cannot be used. */
export const createFreshSettings = (
  settings: Settings,
  edge: Edge,
): (() => Promise<Settings | undefined>) => {
  const { settingsFile, envFile } = locateHome(edge.environment);
  const state = (): string => [settingsFile, envFile].map(stateOf).join(', ');
  let seen = state();
  let latest = Promise.resolve<Settings | undefined>(settings);
  return () => {
    const now = state();
    if (now === seen) return latest;
    seen = now;
    latest = readWithWarnings(edge).then((read) => (read.ok ? read.settings : undefined));
    return latest;
  };
};
