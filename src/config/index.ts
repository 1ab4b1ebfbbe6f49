export { type Environment, type HomePaths, locateHome } from './home-paths.js';
export { type LoadOptions, loadSettings, type ReadSettings, readSettings } from './load-settings.js';
export type { ModelSettings } from './resolve-model.js';
export type { LoadedSettings, PlatformSettings, Settings } from './settings.js';
