import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBuilt, isInstalled } from '../../scripts/setup.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hermes-setup-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, content: string, changedAtSeconds = 1000): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  for (let at = path; at !== '.'; at = dirname(at))
    utimesSync(join(root, at), changedAtSeconds, changedAtSeconds);
}

const lock = (packages: object): string => JSON.stringify({ packages });
const installedList = 'node_modules/.package-lock.json';

describe('isInstalled', () => {
  beforeEach(() => {
    write(
      'package-lock.json',
      lock({
        '': { name: 'here' },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '2.0.0', optional: true },
      }),
    );
  });

  test('a fresh clone is not installed', () => {
    expect(isInstalled(root)).toBe(false);
  });

  test('the versions of the lock file are enough, whatever the times say', () => {
    write(installedList, lock({ 'node_modules/a': { version: '1.0.0' } }), 1);
    expect(isInstalled(root)).toBe(true);
  });

  test('another version is not enough', () => {
    write(installedList, lock({ 'node_modules/a': { version: '1.0.1' } }));
    expect(isInstalled(root)).toBe(false);
  });

  test('a missing package is not enough', () => {
    write(installedList, lock({ 'node_modules/b': { version: '2.0.0' } }));
    expect(isInstalled(root)).toBe(false);
  });
});

describe('isBuilt', () => {
  beforeEach(() => {
    write('package.json', '{}');
    write('src/core/ids.ts', '');
  });

  test('without dist there is no build', () => {
    expect(isBuilt(root)).toBe(false);
  });

  test('a build as new as its sources is current', () => {
    write('dist/main.js', '', 1000);
    expect(isBuilt(root)).toBe(true);
  });

  test('a source saved later makes it stale', () => {
    write('dist/main.js', '', 1000);
    write('src/core/clock.ts', '', 1001);
    expect(isBuilt(root)).toBe(false);
  });

  test('a source deleted later makes it stale', () => {
    write('src/core/clock.ts', '', 1000);
    write('dist/main.js', '', 1000);
    rmSync(join(root, 'src/core/clock.ts'));
    expect(isBuilt(root)).toBe(false);
  });
});
