import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFile } from '../../src/tools/read-file.js';
import { writeFile } from '../../src/tools/write-file.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { createRealWorkspace } from '../fakes/real-workspace.js';
import { someServices } from '../fakes/tool-services.js';

let world: ReturnType<typeof createRealWorkspace>;
const context = () => aToolContext({ services: someServices(world.services) });

beforeEach(() => {
  world = createRealWorkspace();
});
afterEach(() => world.remove());

const inside = (...path: string[]): string => join(world.workspace, ...path);
const write = async (path: string, content: string, encoding?: 'utf-8') =>
  writeFile.execute({ path, content, ...(encoding !== undefined && { encoding }) }, context());

describe('a file', () => {
  test('that is new is made with its folders', async () => {
    expect(await write('notes/today.md', '# Today\nrain\n')).toEqual({
      text: 'Made notes/today.md: 2 lines, 13 bytes.',
      isError: false,
    });
    expect(readFileSync(inside('notes/today.md'), 'utf8')).toBe('# Today\nrain\n');
  });

  test('that is there is replaced, and what changed is counted', async () => {
    writeFileSync(inside('a.txt'), 'one\ntwo\nthree\n');
    expect((await write('a.txt', 'one\n2\nthree\nfour\n')).text).toBe(
      'Wrote a.txt: 2 lines added, 1 removed, 17 bytes.',
    );
  });

  test('with the same content is left alone', async () => {
    writeFileSync(inside('a.txt'), 'one\n');
    expect((await write('a.txt', 'one\n')).text).toContain('nothing was written');
  });

  test('keeps its encoding, its mark and its line ends', async () => {
    const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    writeFileSync(inside('a.txt'), utf16('東京\r\n京都\r\n'));
    expect((await write('a.txt', '東京\n大阪\n')).text).toContain('(encoding utf-16le, CRLF line ends)');
    expect(readFileSync(inside('a.txt'))).toEqual(utf16('東京\r\n大阪\r\n'));
    await write('a.txt', '東京\n', 'utf-8');
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('\u{FEFF}東京\r\n');
  });

  test('in an encoding that lacks a character is not written, and the model is told which', async () => {
    const chinese = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]);
    writeFileSync(inside('a.txt'), chinese);
    await expect(write('a.txt', '你好🚀')).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/no '🚀'; nothing was written.*encoding 'utf-8'/),
    });
    expect(readFileSync(inside('a.txt'))).toEqual(chinese);
  });

  test('that is binary is not replaced by a text', async () => {
    writeFileSync(inside('a.png'), Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
    await expect(write('a.png', 'text')).rejects.toMatchObject({
      message: expect.stringContaining('binary'),
    });
  });
});

test('what was read and then changed by somebody else is refused until it is read again', async () => {
  writeFileSync(inside('a.txt'), 'one\n');
  await readFile.execute({ path: 'a.txt' }, context());
  writeFileSync(inside('a.txt'), 'changed by hand\n');
  await expect(write('a.txt', 'mine\n')).rejects.toMatchObject({
    message: expect.stringContaining('changed since you read it'),
  });
  await readFile.execute({ path: 'a.txt' }, context());
  expect(await write('a.txt', 'mine\n')).toMatchObject({ isError: false });
});

describe('the card', () => {
  test('shows the diff, and what it showed is what may happen', async () => {
    writeFileSync(inside('a.txt'), 'one\ntwo\n');
    const given = { path: 'a.txt', content: 'one\n2\n' };
    const here = context();
    expect(await writeFile.present?.(given, here)).toBe('a.txt (changed)\n@@ -1,2 +1,2 @@\n one\n-two\n+2');
    writeFileSync(inside('a.txt'), 'quite different\n');
    await expect(writeFile.execute(given, here)).rejects.toMatchObject({
      message: expect.stringContaining('after the user was shown'),
    });
  });

  test('is not shown for what would be refused anyway', async () => {
    symlinkSync(join(world.home, 'config.yaml'), inside('plan.txt'));
    for (const path of ['plan.txt', '../config.yaml', '.env'])
      await expect(
        Promise.resolve(writeFile.present?.({ path, content: 'x' }, context())),
      ).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('covers the folder that is really meant', () => {
    symlinkSync(world.workspace, inside('here'));
    expect(writeFile.grantOf?.({ path: 'here/sub/a.txt', content: '' }, context())).toEqual({
      keys: [inside('sub')],
      label: `files written in ${inside('sub')}`,
    });
  });
});

test('the settings and records of the gateway stay as they are', async () => {
  for (const path of ['../config.yaml', '../gateway.db', '../.env', '../../home/config.yaml'])
    await expect(write(path, 'x')).rejects.toMatchObject({ code: 'not-allowed' });
  expect(readdirSync(world.workspace)).toEqual([]);
});
