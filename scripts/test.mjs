/**
 * `npm test`: set-up, then every test once. Arguments go to vitest: `npm test -- test/core`. A part of the tests installs
 * no programs of the system.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectRoot } from './setup.mjs';
import { ensurePrograms } from './system-programs.mjs';

ensureInstalled();
ensureBuilt();
if (process.argv.length === 2) ensurePrograms();

const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
});
process.exit(status ?? 1);
