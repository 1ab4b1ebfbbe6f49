/**
 * Programs of the system that tests need beside Node. `npm test` installs them where it may: as root on a system with
 * apt. Elsewhere it says what is missing, and the tests that need it are skipped. `npm start` installs nothing.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} Program
 * @property {string} title
 * @property {readonly string[]} commands any of them will do
 * @property {string} debianPackage one or several, with spaces between
 */

/** @type {Program} */
export const chromium = {
  title: 'Chromium',
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debianPackage: 'chromium',
};

/** @type {readonly Program[]} */
export const voicePrograms = [
  { title: 'ffmpeg', commands: ['ffmpeg'], debianPackage: 'ffmpeg' },
  { title: 'eSpeak NG', commands: ['espeak-ng'], debianPackage: 'espeak-ng' },
  {
    title: 'PocketSphinx',
    commands: ['pocketsphinx_continuous'],
    debianPackage: 'pocketsphinx pocketsphinx-en-us',
  },
];

const wanted = [chromium, ...voicePrograms];

/**
 * @param {Program} program
 * @param {string} [searchPath] folders as in PATH
 * @returns {string | undefined} the path of the first of its commands that is there
 */
export function findProgram({ commands }, searchPath = process.env['PATH'] ?? '') {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return commands.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs what is missing where that is possible; says what stays missing. Never fails. */
export function ensurePrograms() {
  const missing = wanted.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debianPackage }) => debianPackage.split(' '));
  const hasApt = findProgram({ title: 'apt', commands: ['apt-get'], debianPackage: 'apt' }) !== undefined;
  if (hasApt && process.getuid?.() === 0) {
    say(`installing ${packages.join(', ')}, which some tests need`);
    apt(['update']);
    apt(['install', '--yes', '--no-install-recommends', ...packages]);
  }
  for (const program of missing)
    if (findProgram(program) === undefined)
      say(
        `${program.title} is not there, so tests that need it are skipped` +
          `${hasApt ? `; \`apt-get install ${program.debianPackage}\` as root installs it` : ''}`,
      );
}

/** @param {string[]} args */
function apt(args) {
  spawnSync('apt-get', ['--quiet=2', ...args], {
    // What apt says is not the output of the tests.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`hermes: ${text}\n`);
}
