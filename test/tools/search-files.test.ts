import { describe, expect, test } from 'vitest';
import type { Found, SearchAnswer } from '../../src/core/search.js';
import { searchFiles } from '../../src/tools/search-files.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { MemorySearch, someServices } from '../fakes/tool-services.js';

type Input = Parameters<typeof searchFiles.execute>[0];

const run = async (answer: SearchAnswer, given: Partial<Input> = {}) => {
  const search = new MemorySearch(answer);
  const outcome = await searchFiles.execute(
    { pattern: 'word', ...given },
    aToolContext({ services: someServices({ search }) }),
  );
  return { ...outcome, asked: search.asked[0] };
};

const line = (number: number, text: string, path = 'a.txt'): Found => ({
  kind: 'line',
  path,
  line: number,
  column: 7,
  text,
});
const context = (number: number, text: string, path = 'a.txt'): Found => ({
  kind: 'context',
  path,
  line: number,
  text,
});

describe('a search', () => {
  test('asks for everything that is not said by its default', async () => {
    expect((await run({ found: [], total: 0 })).asked).toEqual({
      target: 'content',
      pattern: 'word',
      path: '.',
      give: 'lines',
      contextLines: 0,
      withIgnored: false,
      offset: 0,
      limit: 50,
    });
    const { asked } = await run(
      { found: [], total: 0 },
      {
        target: 'files',
        path: 'src',
        file_glob: '*.ts',
        output_mode: 'files_only',
        context: 2,
        case_sensitive: true,
        include_ignored: true,
        limit: 5,
        offset: 10,
      },
    );
    expect(asked).toEqual({
      target: 'names',
      pattern: 'word',
      path: 'src',
      glob: '*.ts',
      give: 'files',
      contextLines: 2,
      isCaseSensitive: true,
      withIgnored: true,
      offset: 10,
      limit: 5,
    });
  });

  test('shows lines below the name of their file, what is around them with another mark', async () => {
    const found = [context(1, 'before'), line(2, 'the word'), line(9, 'word', 'b/c.txt')];
    expect((await run({ found, total: 2 })).text).toBe(
      '2 lines:\na.txt\n1- before\n2: the word\nb/c.txt\n9: word',
    );
  });

  test('shows files, and counts', async () => {
    expect((await run({ found: [{ kind: 'file', path: 'a.txt' }], total: 1 })).text).toBe('1 file:\na.txt');
    expect((await run({ found: [{ kind: 'count', path: 'a.txt', count: 3 }], total: 1 })).text).toBe(
      '1 file:\na.txt: 3',
    );
  });

  test('says where in a long line the find is, since it may be cut off', async () => {
    const found = [line(1, 'xxx [... 1 more match]'), context(2, 'yyy [... omitted end of long line]')];
    expect((await run({ found, total: 1 })).text).toBe(
      '1 line:\na.txt\n1: xxx [… long line; found at byte 7]\n2- yyy [… long line]',
    );
  });

  test('says what more there is and how to get it', async () => {
    const found = [line(3, 'word'), line(4, 'word')];
    expect((await run({ found, total: 9 }, { offset: 2, limit: 2 })).text).toBe(
      '9 lines, 3 to 4:\na.txt\n3: word\n4: word\n(5 more; go on with offset 4)',
    );
  });

  test('gives no more than a page of 50,000 characters, of whole results', async () => {
    const found = Array.from({ length: 300 }, (_each, index) => line(index + 1, 'x'.repeat(500)));
    const { text } = await run({ found, total: 300 }, { limit: 300 });
    expect(text.length).toBeLessThan(50_200);
    expect(text).toMatch(/^300 lines, 1 to 99:\n/);
    expect(text).toMatch(/\(201 more; go on with offset 99\)$/);
  });

  test('that was stopped says that there may be more', async () => {
    const found = [line(1, 'word')];
    const { text } = await run({ found, total: 1, stoppedBy: 'time' });
    expect(text).toMatch(/^at least 1 line:\n/);
    expect(text).toContain('took too long');
    expect((await run({ found: [], total: 0, stoppedBy: 'size' })).text).toContain('narrower pattern');
  });
});

describe('nothing found', () => {
  test('is said, with what was not looked at', async () => {
    expect(await run({ found: [], total: 0 })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^Nothing was found in the workspace\. Hidden files .*include_ignored/),
    });
    expect(
      (await run({ found: [], total: 0 }, { path: 'src', file_glob: '*.ts', include_ignored: true })).text,
    ).toBe('Nothing was found in src (only *.ts).');
    expect((await run({ found: [], total: 0 }, { target: 'files' })).text).toContain(
      'No file is named like word in the workspace.',
    );
  });

  test('behind the last page is said to be that', async () => {
    expect((await run({ found: [], total: 7 }, { offset: 50 })).text).toBe(
      'There are only 7 results, so none behind offset 50.',
    );
  });
});
