import { describe, expect, test } from 'vitest';
import { parseEnvFile, withVariables } from '../../src/config/env-file.js';

const parseValue = (text: string): string | undefined => parseEnvFile(`KEY=${text}`).values['KEY'];

describe('parseEnvFile', () => {
  test.each([
    ['plain', 'plain'],
    ['  spaces around  ', 'spaces around'],
    ['"double quoted"', 'double quoted'],
    ['"with \\"quotes\\" and\\nlines"', 'with "quotes" and\nlines'],
    ["'single \\n quoted'", 'single \\n quoted'],
    ['"quoted" # a comment', 'quoted'],
    ['"a # inside"', 'a # inside'],
    ['value # a comment', 'value'],
    ['se#cret', 'se#cret'],
    ['# only a comment', ''],
    ['', ''],
    ['$HOME/x', '$HOME/x'],
    ['a=b=c', 'a=b=c'],
  ])('reads %s', (text, value) => {
    expect(parseValue(text)).toBe(value);
  });

  test('skips comments and empty lines, takes export, CRLF and a byte order mark', () => {
    const { values, problems } = parseEnvFile('\uFEFF# top\r\n\r\nexport ONE = 1\r\n  TWO=2\r\n');
    expect(values).toEqual({ ONE: '1', TWO: '2' });
    expect(problems).toEqual([]);
  });

  test('the last of two lines wins', () => {
    expect(parseEnvFile('A=1\nA=2').values).toEqual({ A: '2' });
  });

  test('tells the line of what is no assignment, and never shows it', () => {
    const { values, problems } = parseEnvFile('A=1\nsk-pasted-alone-0123456789\nB=2');
    expect(values).toEqual({ A: '1', B: '2' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path: '.env line 2', expected: 'NAME=value' });
    expect(JSON.stringify(problems)).not.toContain('sk-pasted');
  });

  test.each(['A="open', "A='open", 'A="closed" and more'])('tells the open quote of %s', (line) => {
    const { values, problems } = parseEnvFile(line);
    expect(values).toEqual({});
    expect(problems[0]).toMatchObject({ path: '.env line 1', got: 'an open quote' });
  });
});

describe('a file that is changed', () => {
  test.each([
    ['', { A: '1' }, 'A=1\n'],
    ['# top\nB=2\n', { A: 'x' }, '# top\nB=2\nA=x\n'],
    ['export A=1 # mine\nB=2', { A: '3' }, 'export A=3 # mine\nB=2\n'],
    ['A="1" # mine\n', { A: '2' }, 'A=2 # mine\n'],
    ['A=1\nB=2\nA=3\n', { A: '4' }, 'B=2\nA=4\n'],
    ['A=1\n# A=old\nB=2\n', { A: undefined, C: undefined }, '# A=old\nB=2\n'],
    ['A=1\n', { A: undefined }, ''],
  ])('%j with %j is %j', (text, variables, result) => {
    expect(withVariables(text, variables)).toBe(result);
  });

  test.each(['two words', 'a#b', 'a #b', '"', "'", '\\', '$HOME', '123:abc-DEF_g', ''])(
    'the value %j is read as it was written',
    (value) => {
      expect(parseEnvFile(withVariables('A=old\n', { A: value })).values).toEqual({ A: value });
    },
  );
});
