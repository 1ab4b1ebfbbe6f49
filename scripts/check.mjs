/**
 * `npm run check`: the whole gate. Every part runs, also after a failed one, so that one run tells everything.
 * `--without-tests` leaves the tests out. Ends with `N passed, N failed`, counting parts.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, projectRoot } from './setup.mjs';

const parts = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'types', command: 'tsc', args: ['--project', '.'] },
  { name: 'directions', command: 'depcruise', args: ['--config', 'test/architecture/directions.mjs', 'src'] },
  { name: 'dead code', command: 'knip', args: [] },
];

ensureInstalled();

let passed = 0;
let failed = 0;

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
function check(name, command, args) {
  process.stdout.write(`\n== ${name}\n`);
  const { status, error } = spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit' });
  if (error) process.stdout.write(`${command} cannot be run: ${error.message}\n`);
  if (status === 0) passed += 1;
  else failed += 1;
}

for (const { name, command, args } of parts) {
  check(name, join(projectRoot, 'node_modules/.bin', command), args);
}
if (!process.argv.includes('--without-tests')) {
  check('tests', process.execPath, [join(projectRoot, 'scripts/test.mjs')]);
}

process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
