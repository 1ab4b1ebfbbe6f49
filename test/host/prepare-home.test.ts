import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locateHome } from '../../src/config/home-paths.js';
import { ConfigError } from '../../src/core/errors.js';
import { prepareHome } from '../../src/host/prepare-home.js';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hermes-home-'));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

const pathsOf = (home: string) => ({
  ...locateHome({ HERMES_HOME: home }),
  workspace: join(home, 'workspace'),
});

const errorOf = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('makes every folder of the home, for its owner alone', () => {
  const home = join(base, 'deep', 'home');
  prepareHome(pathsOf(home));
  const folders = ['.', 'workspace', 'logs', 'skills', 'plugins', 'scripts', 'cron/output', 'cache/images'];
  for (const folder of folders) expect(statSync(join(home, folder)).mode & 0o777).toBe(0o700);
});

test('a second start changes nothing, also no mode that the operator chose', () => {
  const home = join(base, 'home');
  prepareHome(pathsOf(home));
  chmodSync(home, 0o750);
  prepareHome(pathsOf(home));
  expect(statSync(home).mode & 0o777).toBe(0o750);
});

test('a new workspace has something to read, one that was there gets nothing', () => {
  const home = join(base, 'home');
  const notes = join(home, 'workspace', 'notes.txt');
  prepareHome(pathsOf(home));
  expect(readFileSync(notes, 'utf8')).toContain('workspace');
  rmSync(notes);
  prepareHome(pathsOf(home));
  expect(existsSync(notes)).toBe(false);
});

test('a file in the place of the home is told, with the way out', () => {
  const home = join(base, 'home');
  writeFileSync(home, '');
  const error = errorOf(() => prepareHome(pathsOf(home)));
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({
    code: 'unusable-home',
    problems: [
      {
        path: 'HERMES_HOME',
        got: 'a file where a folder has to be',
        advice: expect.stringContaining('HERMES_HOME'),
      },
    ],
  });
});

test('a file above the home is told as well', () => {
  writeFileSync(join(base, 'file'), '');
  const error = errorOf(() => prepareHome(pathsOf(join(base, 'file', 'home'))));
  expect(error).toMatchObject({ problems: [{ got: 'a file where a folder has to be' }] });
});

test.runIf(existsSync('/proc/self'))('a file system that makes no folders is told, and does not hang', () => {
  const error = errorOf(() => prepareHome(pathsOf('/proc/hermes/home')));
  expect(error).toMatchObject({ code: 'unusable-home', problems: [{ path: 'HERMES_HOME' }] });
});

test('a workspace that cannot be made is told by its own name', () => {
  const home = join(base, 'home');
  mkdirSync(home);
  writeFileSync(join(base, 'file'), '');
  const error = errorOf(() => prepareHome({ ...pathsOf(home), workspace: join(base, 'file') }));
  expect(error).toMatchObject({
    problems: [{ path: 'workspace', expected: expect.stringContaining(join(base, 'file')) }],
  });
  expect(existsSync(join(home, 'logs'))).toBe(false);
});
