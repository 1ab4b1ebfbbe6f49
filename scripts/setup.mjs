/**
 * Brings a checkout to where it can run: dependencies as the lock file says, `dist` as the sources say. Does nothing
 * where nothing is to be done. It runs before anything is installed, so it uses Node's own modules only.
 *
 * Run by itself it does both steps, and with `--install-only` the first.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What a build is made of, beside the dependencies. */
const buildInputs = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/**
 * Whether node_modules holds what the lock file asks for. Versions are compared, not times: a checkout moves the
 * times of files that did not change. npm writes its own list last, so an interrupted install has none.
 * @param {string} root
 */
export function isInstalled(root) {
  const listPath = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(listPath)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const present = readJson(listPath).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    // The root itself is not listed, and what is optional may be for another system.
    if (path === '') return true;
    if (!(path in present)) return optional === true || devOptional === true;
    return present[path].version === version;
  });
}

/**
 * Whether dist/main.js is as new as everything it is made of. Folders count too: their time tells of a deleted file.
 * @param {string} root
 */
export function isBuilt(root) {
  const entry = join(root, 'dist/main.js');
  return (
    existsSync(entry) && statSync(entry).mtimeMs >= newestMs(buildInputs.map((path) => join(root, path)))
  );
}

/** Installs the dependencies if they are missing or others than the lock file's; ends the process if that fails. */
export function ensureInstalled() {
  if (isInstalled(projectRoot)) return;
  say('installing the dependencies');
  const args = ['ci', '--include=dev'];
  // npm tells its scripts where it is; another way of running this looks it up on the PATH.
  const npm = process.env['npm_execpath'];
  if (npm?.endsWith('npm-cli.js')) run(process.execPath, [npm, ...args]);
  else run('npm', args);
}

/** Builds `dist` if a source is newer; ends the process if that fails. */
export function ensureBuilt() {
  if (isBuilt(projectRoot)) return;
  say('building dist');
  run(process.execPath, [join(projectRoot, 'scripts/build.mjs')]);
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * @param {string[]} paths
 * @returns {number} the latest time of change, in epoch ms, of the files and folders at and under the paths
 */
function newestMs(paths) {
  return Math.max(
    0,
    ...paths
      .filter((path) => existsSync(path))
      .map((path) => {
        const facts = statSync(path);
        if (!facts.isDirectory()) return facts.mtimeMs;
        return Math.max(facts.mtimeMs, newestMs(readdirSync(path).map((name) => join(path, name))));
      }),
  );
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`hermes: ${text}\n`);
}

/**
 * Standard output is left to what comes after the set-up.
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: projectRoot, stdio: ['ignore', 2, 2] });
  if (error) say(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  if (!process.argv.includes('--install-only')) ensureBuilt();
}
