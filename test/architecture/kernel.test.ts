import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from './cruise.js';
import { sourceFiles } from './source-files.js';

/** The kernel: what serves every platform and every tool, and so may know none by name. */
const kernel = ['src/core', 'src/gateway', 'src/agent'].filter((folder) =>
  existsSync(join(projectRoot, folder)),
);

function namesIn(folder: string, kind: 'files' | 'folders'): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) =>
      kind === 'folders' ? entry.isDirectory() : entry.isFile() && entry.name.endsWith('.ts'),
    )
    .map((entry) => entry.name.replace(/\.ts$/, ''));
}

/**
 * Finds a name wherever it stands, in code and in comments. A name that is also an English word (`web`, `todo`)
 * cannot be told from prose or from an identifier, so that is looked for where it acts as a name: alone in quotes.
 */
function patternOf(name: string, isEnglishWord: boolean): RegExp {
  if (isEnglishWord) return new RegExp(`(['"\`])${name}\\1`);
  return new RegExp(name.replaceAll('-', '[-_]'), 'i');
}

function placesOf(pattern: RegExp): string[] {
  return kernel.flatMap(sourceFiles).flatMap((path) =>
    readFileSync(join(projectRoot, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

const platforms = namesIn('src/adapters', 'folders').filter((name) => name !== 'kit');
const tools = namesIn('src/tools', 'files').filter((name) => name !== 'index' && name !== 'toolsets');

describe('the kernel', () => {
  test.each(platforms)('does not name the platform %s', (platform) => {
    expect(placesOf(patternOf(platform, platform === 'web'))).toEqual([]);
  });

  test.each(tools)('does not name the tool %s', (tool) => {
    expect(placesOf(patternOf(tool, !/[-_]/.test(tool)))).toEqual([]);
  });

  test('is searched, with names to search for', () => {
    expect(kernel).toHaveLength(3);
    expect(platforms).toEqual(expect.arrayContaining(['telegram', 'web']));
    expect(tools).toEqual(expect.arrayContaining(['read-file', 'todo']));
    expect(placesOf(/\bexport\b/).length).toBeGreaterThan(kernel.length);
  });

  test.each([
    ['telegram', false, '// as in Telegram groups', true],
    ['telegram', false, 'const telegramChat = 1;', true],
    ['read-file', false, "call('read_file')", true],
    ['web', true, "if (platform === 'web')", true],
    ['web', true, '// the web page of an account', false],
    ['todo', true, 'const open = `todo`;', true],
  ])('patternOf(%s, %s) on %s gives %s', (name, isEnglishWord, line, found) => {
    expect(patternOf(name, isEnglishWord).test(line)).toBe(found);
  });
});
