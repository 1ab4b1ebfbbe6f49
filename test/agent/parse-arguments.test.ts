import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCompleteObject, parseArguments } from '../../src/agent/parse-arguments.js';

const read = (text: string) => {
  const parsed = parseArguments(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};

describe('arguments that have only one reading', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['  \n', {}],
    ['{"a":1,}', { a: 1 }],
    ["{'a':1}", { a: 1 }],
    ['{"a":"x\n\ny"}', { a: 'x\n\ny' }],
    ['{"a":"x\ty"}', { a: 'x\ty' }],
    ["{'a':'it\\'s'}", { a: "it's" }],
    ['{a: 1, b_c: [1, 2,],}', { a: 1, b_c: [1, 2] }],
    ["{'a': True, 'b': None, 'c': False}", { a: true, b: null, c: false }],
    ['{"a": -1.5e3, /* why */ "b": 2 // that is why\n}', { a: -1500, b: 2 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ["{'a':'\\u6771\\n\\x'}", { a: '東\nx' }],
    ["{'a':{'b':[{}]}}", { a: { b: [{}] } }],
  ])('are read: %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('cannot reach a prototype', () => {
    const value = read("{'__proto__':{'isAdmin':true}}");
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

describe('arguments that cannot be read', () => {
  test.each([
    ['null', 'must be a JSON object, got null'],
    ['[1]', 'must be a JSON object, got an array'],
    ['5', 'must be a JSON object, got a number'],
    ['"words"', 'must be a JSON object, got a string'],
    ['not json', 'not valid JSON'],
    ['{"path":"a.txt","content":"abc', 'a string has no end'],
    ['{"path":"a.txt"', "',' is missing"],
    ['{"path":', 'ends too early'],
    ['{"a":1}{"b":2}', 'more text after the end'],
    ['{"a" 1}', "':' is missing"],
    ["{'a':'\\u12'}", 'broken \\u escape'],
    ['{,}', 'a key is missing'],
  ])('say what is wrong: %s', (text, problem) => {
    expect(parseArguments(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  test('nested beyond reason do not exhaust the stack', () => {
    expect(parseArguments(`${"{'a':".repeat(5000)}1`)).toMatchObject({
      problem: expect.stringContaining('too deeply'),
    });
  });
});

describe('any text', () => {
  test('is parsed without throwing', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseArguments(text).ok === 'boolean'));
  });

  test('that is a JSON object is read as JSON reads it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object);
        expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

describe('a complete object', () => {
  test.each([
    ['{"a":1}', true],
    ['{}', true],
    ['', false],
    ['{"a":1,}', false],
    ['[1]', false],
    ['{"a":"half', false],
  ])('is told without tolerance: %s', (text, isComplete) => {
    expect(isCompleteObject(text)).toBe(isComplete);
  });
});
