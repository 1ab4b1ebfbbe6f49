import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { replaceFile, withList, withSettings } from '../../src/config/settings-file.js';

const written = `# mine
model: {provider: openai, default: "x"} # who answers
owners: ["telegram:12345"]
platforms:
  web:
    port: 1 # the page
  # the bot
  telegram:
    allowed_chats: ["-1001234567890"]
    toolsets: [web, file] # because

# end
`;

describe('a list in a settings file', () => {
  test('takes the place of the one before, and everything else stays', () => {
    expect(withList(written, ['platforms', 'telegram', 'toolsets'], ['todo'])).toBe(
      written.replace('[web, file]', '[todo]'),
    );
  });

  test('comes behind what is there, and opens the sections that lead to it', () => {
    const text = withList(written, ['toolsets'], ['todo', 'file']);
    expect(text).toContain('toolsets: [web, file] # because');
    expect(text).toMatch(/\ntoolsets: \[todo, file\]\n/);
    const blank = written.replace('port: 1 # the page', '# the page');
    const opened = withList(blank, ['platforms', 'web', 'toolsets'], []);
    expect(opened).toMatch(/ {2}web:\n {4}toolsets: \[\]\n/);
    for (const comment of ['# mine', '# who answers', '# the bot', '# because', '# the page', '# end'])
      expect(opened).toContain(comment);
  });

  test.each([
    ['', 'platforms:\n  web:\n    toolsets: [a]\n'],
    ['# only a remark\n', '# only a remark\n\nplatforms:\n  web:\n    toolsets: [a]\n'],
    ['platforms:\n', 'platforms:\n  web:\n    toolsets: [a]\n'],
    ['platforms: {web: {port: 1}}\n', 'platforms: {web: {port: 1, toolsets: [a]}}\n'],
    ['id: 12345678901234567890\n', 'id: 12345678901234567890\nplatforms:\n  web:\n    toolsets: [a]\n'],
  ])('in %j', (before, after) => {
    expect(withList(before, ['platforms', 'web', 'toolsets'], ['a'])).toBe(after);
  });

  test('is not written where the place is no section', () => {
    const path = ['platforms', 'web', 'toolsets'];
    expect(() => withList('platforms: [1]\n', path, ['a'])).toThrow('platforms is no section');
    expect(() => withList('a: &x {port: 1}\nplatforms: {web: *x}\n', path, ['a'])).toThrow(
      'platforms.web is no section of its own',
    );
  });
});

describe('a file', () => {
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'hermes-settings-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  test('that is new is private, in a folder that is made for it', () => {
    const path = join(folder(), 'home/config.yaml');
    replaceFile(path, 'a: 1\n');
    expect(readFileSync(path, 'utf8')).toBe('a: 1\n');
    expect(modeOf(path)).toBe(0o600);
  });

  test('keeps its mode, and a link to it goes on leading there', () => {
    const home = folder();
    const real = join(home, 'real.yaml');
    const link = join(home, 'config.yaml');
    writeFileSync(real, 'old', { mode: 0o640 });
    symlinkSync(real, link);
    replaceFile(link, 'new');
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(modeOf(real)).toBe(0o640);
    expect(readdirSync(home).sort()).toEqual(['config.yaml', 'real.yaml']);
  });

  test('that cannot be replaced leaves nothing behind', () => {
    const home = folder();
    mkdirSync(join(home, 'config.yaml'));
    expect(() => replaceFile(join(home, 'config.yaml'), 'x')).toThrow();
    expect(readdirSync(home)).toEqual(['config.yaml']);
  });
});

describe('single settings', () => {
  test.each([
    ['', 'model:\n  provider: openai\n'],
    ['# top\nmodel:\n  provider: offline # mine\n', '# top\nmodel:\n  provider: openai # mine\n'],
    ['model: {provider: offline, default: x}\n', 'model: {provider: openai, default: x}\n'],
    ['model: # later\nlog: {level: debug}\n', undefined],
  ])('set one in %j', (text, result) => {
    const changed = withSettings(text, [{ path: ['model', 'provider'], value: 'openai' }]);
    if (result !== undefined) expect(changed).toBe(result);
    expect(parse(changed)).toMatchObject({ model: { provider: 'openai' } });
    if (text.includes('#')) expect(changed).toMatch(/# (?:top|mine|later)/u);
  });

  test('take one away, also where there is none', () => {
    const changes = [{ path: ['model', 'base_url'], value: undefined }];
    expect(withSettings('model: {base_url: x, default: y} # mine\n', changes)).toBe(
      'model: {default: y} # mine\n',
    );
    expect(withSettings('log: {level: debug}\n', changes)).toBe('log: {level: debug}\n');
  });

  test('refuse a place that is no section', () => {
    const changes = [{ path: ['model', 'provider'], value: 'openai' }];
    expect(() => withSettings('model: gpt\n', changes)).toThrow('model is no section of its own');
  });
});
