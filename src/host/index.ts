export { createLogger } from './create-logger.js';
export { createIdSource } from './id-source.js';
export { prepareHome } from './prepare-home.js';
export { createRedactor } from './redactor.js';
export { createSystemClock } from './system-clock.js';
export { createWorkspaceFiles } from './workspace-files.js';
