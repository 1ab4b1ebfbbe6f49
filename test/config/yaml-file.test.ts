import { describe, expect, test } from 'vitest';
import { parseYamlFile } from '../../src/config/yaml-file.js';

describe('parseYamlFile', () => {
  test.each([
    ['a: 1\n\tb: 2\n', 'config.yaml line 2, column 1', '`→b: 2`', /spaces/],
    ['a: 1\nb: 2\na: 3\n', 'config.yaml line 3, column 1', '`a: 3`', /one of the two/],
    ['a: b: c\n', 'config.yaml line 1, column 4', '`a: b: c`', /quotes/],
    ['a: @b\n', 'config.yaml line 1, column 4', '`a: @b`', /quotes/],
    ['a: "b\n', 'config.yaml line 2, column 1', 'the end of the file or an empty line', /Close/],
    ['a:\n  b: 1\n c: 2\n', 'config.yaml line 3, column 1', '` c: 2`', /same column/],
    ['a: 1\n---\nb: 2\n', 'config.yaml line 2, column 1', '`---`', /one document/],
    ['a: !secret b\n', 'config.yaml line 1, column 4', '`a: !secret b`', /Correct/],
  ])('tells where %j is no YAML, and what to do', (text, path, got, advice) => {
    const { tree, problems } = parseYamlFile(text);
    expect(problems[0]).toMatchObject({ path, got });
    expect(problems[0]?.advice).toMatch(advice);
    expect(tree).toEqual({});
  });

  test.each(['token: hunter2: x', 'api_key: "abc', 'x: [123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'shows no secret of a broken line: %s',
    (text) => {
      const shown = JSON.stringify(parseYamlFile(text).problems);
      expect(shown).toContain('config.yaml line');
      expect(shown).not.toMatch(/hunter2|abc|TEST-A/);
    },
  );

  test.each(['- a\n', 'just text\n', '42\n'])('refuses %j, which is no map', (text) => {
    expect(parseYamlFile(text).problems[0]).toMatchObject({
      path: 'config.yaml',
      expected: 'keys with values',
    });
  });

  test.each(['', '# only comments\n', '---\n'])('takes %j as no settings', (text) => {
    expect(parseYamlFile(text)).toEqual({ tree: {}, problems: [] });
  });

  test('an alias without its anchor is a problem', () => {
    expect(parseYamlFile('a: *b\n').problems).toHaveLength(1);
  });

  test('resolves anchors and merge keys', () => {
    expect(parseYamlFile('a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n').tree).toEqual({
      a: { b: 1 },
      c: { b: 1 },
      d: { b: 1, e: 2 },
    });
  });

  test('keeps unquoted ids as they are written', () => {
    const text =
      'owners: [1, x]\nplatforms: {p: {allowed_users: [0123, -100123, +49], home_channel: 9007199254740991, port: 80}}\n';
    expect(parseYamlFile(text)).toEqual({
      tree: {
        owners: ['1', 'x'],
        platforms: {
          p: { allowed_users: ['0123', '-100123', '+49'], home_channel: '9007199254740991', port: 80 },
        },
      },
      problems: [],
    });
  });

  test('tells ids over 2^53 to be quoted, each with its path', () => {
    const { problems } = parseYamlFile('a: {allowed_users: [1, 1234567890123456789]}\nb: 9007199254740993\n');
    expect(problems).toEqual([
      expect.objectContaining({
        path: 'a.allowed_users.1',
        advice: 'Write "1234567890123456789" in quotes.',
      }),
      expect.objectContaining({ path: 'b', got: '9007199254740993' }),
    ]);
  });

  test('a key without a value is not there', () => {
    expect(parseYamlFile('a:\nb: {c: ~, d: ""}\ne: [1]\n').tree).toEqual({ b: {}, e: [1] });
  });
});
