import { describe, expect, test } from 'vitest';
import { createCode, hashCode, matchesHash, parseCode } from '../../../src/gateway/pairing/code.js';

const codes = Array.from({ length: 500 }, createCode);

describe('a pairing code', () => {
  test('has eight symbols that are not mistaken for each other, and all of them occur', () => {
    for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect(new Set(codes.join('')).size).toBe(32);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each(['abcd2345', ' ABCD-2345 ', 'abcd 2345'])('is read from %j', (typed) => {
    expect(parseCode(typed)).toBe('ABCD2345');
  });

  test.each(['', 'ABCD234', 'ABCD23456', 'ABCD234O', 'ABCD2341', 'ÄBCD2345'])('is not %j', (typed) => {
    expect(parseCode(typed)).toBeUndefined();
  });
});

describe('its hash', () => {
  test('matches that code alone and does not contain it', () => {
    const [one = '', other = ''] = codes;
    const hash = hashCode(one);
    expect(hash).not.toContain(one);
    expect(matchesHash(one, hash)).toBe(true);
    expect(matchesHash(other, hash)).toBe(false);
    expect(matchesHash(one, 'damaged')).toBe(false);
  });

  test('is another one each time', () => {
    expect(hashCode('ABCD2345')).not.toBe(hashCode('ABCD2345'));
  });
});
