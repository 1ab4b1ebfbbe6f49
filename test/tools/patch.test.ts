import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/errors.js';
import { toToolCallId } from '../../src/core/ids.js';
import { patch } from '../../src/tools/patch.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { createRealWorkspace } from '../fakes/real-workspace.js';
import { someServices } from '../fakes/tool-services.js';

let world: ReturnType<typeof createRealWorkspace>;
const context = () => aToolContext({ services: someServices(world.services) });

const program = 'def greet(name):\n    print("hello", name)\n\n\ndef leave(name):\n    print("bye", name)\n';

beforeEach(() => {
  world = createRealWorkspace();
  put('a.py', program);
});
afterEach(() => world.remove());

const put = (path: string, text: string): void => writeFileSync(join(world.workspace, path), text);
const textOf = (path: string): string => readFileSync(join(world.workspace, path), 'utf8');
const replace = async (wanted: string, added: string, more: { readonly replace_all?: boolean } = {}) =>
  patch.execute({ mode: 'replace', path: 'a.py', old_string: wanted, new_string: added, ...more }, context());
const apply = async (text: string) => patch.execute({ patch: text }, context());

const problemOf = async (work: Promise<unknown>): Promise<string> => {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof ToolError) return outcome.message;
  throw new Error(`it was not refused: ${JSON.stringify(outcome)}`);
};

describe('replacing', () => {
  test('changes the only place and shows the diff', async () => {
    expect(await replace('"hello"', '"good day"')).toEqual({
      text: 'Changed a.py\n@@ -1,5 +1,5 @@\n def greet(name):\n-    print("hello", name)\n+    print("good day", name)\n \n \n def leave(name):',
      isError: false,
    });
    expect(textOf('a.py')).toContain('print("good day", name)');
  });

  test('takes every place where it is told to', async () => {
    expect((await replace('print(', 'say(', { replace_all: true })).text).toContain('(2 places)');
    expect(textOf('a.py').match(/say\(/gu)).toHaveLength(2);
  });

  test.each([
    [
      'indentation',
      'print("hello", name)\nprint("x")',
      'def greet(name):\nprint("hello", name)',
      '    print("hello", name)',
    ],
    ['spaces at the end', '', 'def greet(name):  \n    print("hello", name)', ''],
    ['quotation marks', '', 'def greet(name):\n    print(“hello”, name)', ''],
    ['spaces within', '', 'def greet( name ):\n    print("hello",name)', ''],
    ['escaped line breaks', '', 'def greet(name):\\n    print("hello", name)', ''],
  ])('forgives wrong %s', async (_name, _added, wanted) => {
    expect(await replace(wanted, 'def greet():\n    pass')).toMatchObject({ isError: false });
    expect(textOf('a.py')).toBe(
      program.replace('def greet(name):\n    print("hello", name)', 'def greet():\n    pass'),
    );
  });

  test('gives new lines the indentation of the file', async () => {
    put('a.py', 'class A:\n    def one(self):\n        return 1\n');
    await replace('def one(self):\n    return 1', 'def one(self):\n    value = 2\n    return value');
    expect(textOf('a.py')).toBe('class A:\n    def one(self):\n        value = 2\n        return value\n');
  });

  test('keeps line ends', async () => {
    put('a.py', 'one\r\ntwo\r\nthree\r\n');
    await replace('one\ntwo', '1\n2');
    expect(textOf('a.py')).toBe('1\r\n2\r\nthree\r\n');
  });

  test('of something that is there twice says where', async () => {
    expect(await problemOf(replace('print(', 'say('))).toBe(
      'a.py: old_string is there 2 times, at line 2, 6. Give more lines around the one you mean, or replace_all: true for all of them. Nothing was changed.',
    );
  });

  test('of something that is not there shows what is nearest', async () => {
    const problem = await problemOf(replace('def leave(name):\n    print("goodbye", name)', 'x'));
    expect(problem).toContain('old_string is not there');
    expect(problem).toContain('5\tdef leave(name):\n6\t    print("bye", name)');
    expect(textOf('a.py')).toBe(program);
  });

  test.each([
    [{ old_string: 'a', new_string: 'b' }, "needs 'path'"],
    [{ path: 'a.py', new_string: 'b' }, "needs 'old_string'"],
    [{ path: 'a.py', old_string: 'a' }, "needs 'new_string'"],
    [{ path: 'a.py', old_string: 'a', new_string: 'a' }, 'are the same'],
    [{ mode: 'patch' as const }, "needs 'patch'"],
    [{}, "needs 'path'"],
  ])('with %j says what is missing', (given, words) => {
    const parsed = patch.input.safeParse(given);
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
  });

  test('in a file that is not there says so', async () => {
    const given = { path: 'b.py', old_string: 'a', new_string: 'b' };
    expect(await problemOf(patch.execute(given, context()))).toContain('no file b.py');
  });
});

describe('a unified diff', () => {
  const diff =
    '--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,4 @@\n def greet(name):\n-    print("hello", name)\n+    name = name.title()\n+    print("hello", name)\n \n';

  test('is put in', async () => {
    expect(await apply(diff)).toMatchObject({ isError: false });
    expect(textOf('a.py')).toBe(
      program.replace('    print("hello"', '    name = name.title()\n    print("hello"'),
    );
  });

  test('with wrong line numbers finds its place', async () => {
    put('a.py', `${'# a line\n'.repeat(40)}${program}`);
    expect(await apply(diff)).toMatchObject({ isError: false });
    expect(textOf('a.py')).toContain('name = name.title()\n    print("hello"');
  });

  test('with a wrong line of context at its edge is put in and says so', async () => {
    const { text } = await apply(diff.replace(' def greet(name):', ' def hello(name):'));
    expect(text).toContain('Not all quoted lines were exact');
    expect(textOf('a.py')).toContain('def greet(name):\n    name = name.title()');
  });

  test('of several places shifts the later ones', async () => {
    put('a.py', Array.from({ length: 30 }, (_each, index) => `line ${index % 5}\n`).join(''));
    await apply(
      '--- a.py\n+++ a.py\n@@ -1,2 +1,4 @@\n line 0\n+new\n+new\n line 1\n@@ -21,2 +23,2 @@\n line 0\n-line 1\n+changed\n',
    );
    const lines = textOf('a.py').split('\n');
    expect(lines.slice(0, 4)).toEqual(['line 0', 'new', 'new', 'line 1']);
    expect(lines[23]).toBe('changed');
  });

  test('makes and deletes files', async () => {
    put('old.txt', 'gone\n');
    const text =
      '--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n';
    expect((await apply(text)).text).toContain('Made sub/new.txt');
    expect(textOf('sub/new.txt')).toBe('one\ntwo\n');
    expect(existsSync(join(world.workspace, 'old.txt'))).toBe(false);
    expect(patch.riskOf?.({ patch: text }, context())).toBe('It deletes old.txt.');
  });
});

describe('a patch of named files', () => {
  test('changes, makes, moves and deletes', async () => {
    put('b.txt', 'one\ntwo\n');
    put('c.txt', 'c\n');
    const { text, isError } = await apply(
      [
        '*** Begin Patch',
        '*** Update File: a.py',
        '@@ def leave(name):',
        '-    print("bye", name)',
        '+    print("farewell", name)',
        '*** Add File: new.txt',
        '+fresh',
        '*** Update File: b.txt',
        '*** Move to: moved.txt',
        '@@',
        ' one',
        '-two',
        '+2',
        '*** Delete File: c.txt',
        '*** End Patch',
      ].join('\n'),
    );
    expect({ text, isError }).toMatchObject({
      isError: false,
      text: expect.stringContaining('Moved b.txt to moved.txt'),
    });
    expect(textOf('a.py')).toContain('farewell');
    expect(textOf('new.txt')).toBe('fresh\n');
    expect(textOf('moved.txt')).toBe('one\n2\n');
    expect(existsSync(join(world.workspace, 'b.txt'))).toBe(false);
    expect(existsSync(join(world.workspace, 'c.txt'))).toBe(false);
  });

  test('does nothing at all if a part of it is not possible', async () => {
    const text =
      '*** Begin Patch\n*** Update File: a.py\n@@\n-    print("bye", name)\n+    pass\n*** Update File: missing.txt\n@@\n-a\n+b\n*** End Patch';
    expect(await problemOf(apply(text))).toContain('no file missing.txt');
    expect(textOf('a.py')).toBe(program);
  });

  test.each([
    ['a hunk whose lines are there twice', '*** Update File: a.py\n@@\n \n-\n+x', 'context'],
    ['a hunk that changes nothing', '*** Update File: a.py\n@@\n def greet(name):', 'changes nothing'],
    ['a line without a mark', '*** Update File: a.py\n@@\n-def greet(name):\n*broken', 'begins with none of'],
    ['a file that is there', '*** Add File: a.py\n+x', 'there already'],
    ['a file named twice', '*** Delete File: a.py\n*** Delete File: ./a.py', 'names a file twice'],
    [
      'an anchor that is not there',
      '*** Update File: a.py\n@@ def other():\n-x\n+y',
      "no line 'def other():'",
    ],
    ['words', 'please change the file', 'names no file'],
  ])('with %s is refused', async (_name, text, words) => {
    expect(await problemOf(patch.execute({ mode: 'patch', patch: text }, context()))).toContain(words);
    expect(textOf('a.py')).toBe(program);
  });

  test.each(['../outside.txt', '../config.yaml', '.env', '/etc/hosts'])(
    'reaches nothing at %s',
    async (path) => {
      const before = readFileSync(join(world.base, 'outside.txt'), 'utf8');
      await problemOf(apply(`*** Begin Patch\n*** Update File: ${path}\n@@\n-hidden\n+shown\n*** End Patch`));
      await problemOf(apply(`*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`));
      expect(readFileSync(join(world.base, 'outside.txt'), 'utf8')).toBe(before);
      expect(readFileSync(join(world.home, 'config.yaml'), 'utf8')).toBe('hidden: true');
    },
  );
});

test('the card shows all diffs and covers all folders', async () => {
  const given = { patch: '*** Add File: x/one.txt\n+1\n*** Delete File: a.py' };
  expect(await patch.present?.(given, context())).toMatch(
    /^Made x\/one\.txt\n@@ .*\n\+1\n\nDeleted a\.py\n@@ /u,
  );
  expect(patch.grantOf?.(given, context())?.keys).toEqual([world.workspace, join(world.workspace, 'x')]);
  put('a.py', 'changed');
  const here = { ...context(), call: toToolCallId('c2') };
  await patch.present?.(given, here);
  put('a.py', 'changed again');
  expect(await problemOf(patch.execute(given, here))).toContain('after the user was shown');
});
