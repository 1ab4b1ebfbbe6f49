import { describe, expect, test } from 'vitest';
import { never, ToolError } from '../../src/core/errors.js';
import { readFile } from '../../src/tools/read-file.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { MemoryFiles, MemoryPictures, someServices } from '../fakes/tool-services.js';

interface ReadSketch {
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
}

const read = (data: string | Uint8Array, { path = 'a.txt', ...rest }: ReadSketch = {}) =>
  readFile.execute(
    { path, ...rest },
    aToolContext({ services: someServices({ files: new MemoryFiles({ 'a.txt': data }) }) }),
  );

const lines = (count: number) =>
  Array.from({ length: count }, (_each, index) => `line ${index + 1}`).join('\n');

describe('a text file', () => {
  test('comes back with line numbers', async () => {
    expect(await read('one\r\ntwo\n\nfour\n')).toEqual({
      text: '1\tone\n2\ttwo\n3\t\n4\tfour',
      isError: false,
    });
  });

  test('comes back in part, and says how to go on', async () => {
    expect(await read(lines(10), { offset: 4, limit: 2 })).toEqual({
      text: '4\tline 4\n5\tline 5\n(5 more lines; go on with offset 6)',
      isError: false,
    });
    expect((await read(lines(10), { offset: 9 })).text).toBe('9\tline 9\n10\tline 10');
  });

  test('stops after 2000 lines', async () => {
    const { text } = await read(lines(2500));
    expect(text.split('\n')).toHaveLength(2001);
    expect(text).toMatch(/\n\(500 more lines; go on with offset 2001\)$/);
  });

  test('of millions of lines shows its part, and counts the rest without cutting it up', async () => {
    const count = 5_000_000;
    const bytes = new Uint8Array(count * 2).fill(0x78);
    for (let at = 1; at < bytes.length; at += 2) bytes[at] = 0x0a;
    const before = process.memoryUsage().heapUsed;
    const { text } = await read(bytes, { offset: count - 1 });
    expect(text).toBe(`${count - 1}\tx\n${count}\tx`);
    expect((await read(bytes, { limit: 1 })).text).toBe(
      `1\tx\n(${count - 1} more lines; go on with offset 2)`,
    );
    // Five million strings would take more than a hundred megabytes.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(80 * 1024 * 1024);
  });

  test('stops after 100,000 characters at a whole line', async () => {
    const { text } = await read(Array.from({ length: 100 }, () => 'x'.repeat(1990)).join('\n'));
    expect(text.length).toBeLessThan(100_100);
    expect(text).toMatch(/\n50\tx{1990}\n\(50 more lines; go on with offset 51\)$/);
  });

  test('has lines of at most 2000 characters, cut at a whole character', async () => {
    const { text } = await read(`${'x'.repeat(1999)}🚀yy`);
    expect(text).toBe(`1\t${'x'.repeat(1999)} [… 4 characters left out]`);
  });

  test('that is empty says so, and beyond its end there is nothing', async () => {
    expect((await read('')).text).toBe('(The file is empty.)');
    expect(await read('one\ntwo\n', { offset: 3 })).toEqual({
      text: 'a.txt has only 2 lines: give an offset up to 2.',
      isError: true,
    });
  });

  test('longer than can be read says so at its end', async () => {
    const { text } = await read(`${'x'.repeat(1000)}\n`.repeat(17_000), { offset: 16_700 });
    expect(text).toMatch(/only its first 16777216 bytes/);
    expect((await read(`${'x'.repeat(1000)}\n`.repeat(17_000), { limit: 1 })).text).toContain('and beyond');
  });

  test('of another encoding is read where it says which', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('東京', 'utf16le')]);
    expect((await read(utf16)).text).toBe('1\t東京');
    expect(
      (await read(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16.subarray(2)).swap16()]))).text,
    ).toBe('1\t東京');
    expect((await read('\u{FEFF}東京')).text).toBe('1\t東京');
    expect((await read(Buffer.from('naïve words, one bad byte', 'latin1'))).text).toContain('na\u{FFFD}ve');
  });
});

describe('a file that cannot be read as text', () => {
  test.each([
    ['a NUL byte', Uint8Array.from([0x7f, 0x45, 0, 1])],
    ['no UTF-8', Uint8Array.from({ length: 200 }, (_each, index) => 0x80 + (index % 64))],
  ])('because of %s is told to be binary', async (_name, bytes) => {
    expect(await read(bytes)).toMatchObject({ isError: true, text: expect.stringContaining('binary') });
  });
});

describe('a picture', () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1]);

  test('is kept and shown, whatever its name says', async () => {
    const pictures = new MemoryPictures();
    const services = someServices({ files: new MemoryFiles({ 'plots/one.txt': png }), pictures });
    expect(await readFile.execute({ path: 'plots/one.txt' }, aToolContext({ services }))).toEqual({
      text: 'plots/one.txt is a picture (image/png, 10 bytes).',
      isError: false,
      images: [
        { path: '/cache/images/1_one.txt', fileName: 'one.txt', mimeType: 'image/png', sizeBytes: 10 },
      ],
    });
    expect(pictures.kept).toHaveLength(1);
  });

  test('that no model would take is told to be too large', async () => {
    const large = new Uint8Array(6 * 1024 * 1024);
    large.set(png);
    expect(await read(large)).toMatchObject({ isError: true, text: expect.stringContaining('models take') });
  });
});

test('Chinese in the usual encoding is read, and said to be guessed', async () => {
  const gbk = Buffer.from('b6abbea9b5c4ccecc6f8', 'hex');
  expect((await read(gbk)).text).toBe('1\t东京的天气\n(Read as GB18030: it is no UTF-8.)');
});

describe('a path', () => {
  test('that leads nowhere names what is there instead', async () => {
    await expect(read('x', { path: 'b.txt' })).rejects.toThrow(
      'There is no file b.txt. In that folder: a.txt',
    );
    await expect(read('x', { path: 'sub/b.txt' })).rejects.toThrow(/^There is no file sub\/b\.txt\.$/);
  });

  test('that is a folder names what is in it', async () => {
    const error = new ToolError({ code: 'invalid-input', message: "'src' is a folder.", retry: never });
    const files = { read: () => Promise.reject(error), list: async () => ['a.ts', 'deep/'] };
    await expect(
      readFile.execute({ path: 'src' }, aToolContext({ services: someServices({ files }) })),
    ).rejects.toMatchObject({ code: 'invalid-input', message: "'src' is a folder. In it: a.ts, deep/" });
  });

  test('that is not allowed is told as the workspace tells it', async () => {
    const error = new ToolError({ code: 'not-allowed', message: 'Outside the workspace.', retry: never });
    const files = { read: () => Promise.reject(error), list: () => Promise.resolve(['secret']) };
    await expect(
      readFile.execute({ path: '/etc/x' }, aToolContext({ services: someServices({ files }) })),
    ).rejects.toBe(error);
  });
});
