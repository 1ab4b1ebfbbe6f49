import { describe, expect, test } from 'vitest';
import { toJson, withoutNul } from '../../src/store/json-text.js';

const nul = String.fromCharCode(0);

describe('text that is stored', () => {
  test('loses U+0000 and nothing else', () => {
    expect(withoutNul(`${nul}a${nul}${nul}b \u0001 🙂${nul}`)).toBe('ab \u0001 🙂');
    expect(withoutNul('plain')).toBe('plain');
  });

  test('loses U+0000 at every depth of JSON', () => {
    const value = { a: [`x${nul}y`, { b: nul }], c: 1, d: null };
    expect(JSON.parse(toJson(value))).toEqual({ a: ['xy', { b: '' }], c: 1, d: null });
  });

  test('keeps a backslash that is followed by u0000 in letters', () => {
    const value = { a: '\\u0000', b: `${nul}\\\\u0000` };
    expect(JSON.parse(toJson(value))).toEqual({ a: '\\u0000', b: '\\\\u0000' });
  });
});
