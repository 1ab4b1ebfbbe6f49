export { type Environment, locateHome } from './home-paths.js';
export { loadSettings, type ReadSettings, readSettings } from './load-settings.js';
export type { LoadedSettings, PlatformSettings, Settings } from './settings.js';
