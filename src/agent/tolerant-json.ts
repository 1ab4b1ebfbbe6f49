import type { JsonValue } from '../core/json.js';

/** Deeper nesting is refused, so that no text can exhaust the stack. */
const maxDepth = 100;
const bareKey = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const word = /[A-Za-z]+/uy;
const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/uy;
const words = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);
const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/**
 * Reads what models write when they mean JSON: trailing commas, single quotes, bare keys, raw line breaks in strings,
 * comments, Python's words. What is cut off is never completed: a half text throws a SyntaxError like any other.
 */
export const parseTolerantly = (text: string): JsonValue => {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue {
    if (depth > maxDepth) throw this.#wrong('nested too deeply');
    this.#skip(space);
    const character = this.#text[this.#at];
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    if (character === '"' || character === "'") return this.#string(character);
    const digits = this.#take(number);
    if (digits !== undefined) return Number(digits);
    const named = words.get(this.#take(word) ?? '');
    if (named === undefined) throw this.#wrong(character === undefined ? 'ends too early' : 'no JSON value');
    return named;
  }

  end(): void {
    this.#skip(space);
    if (this.#at < this.#text.length) throw this.#wrong('more text after the end of the value');
  }

  #object(depth: number): JsonValue {
    const entries: [string, JsonValue][] = [];
    this.#list('}', () => {
      const quote = this.#text[this.#at];
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#take(bareKey);
      if (key === undefined) throw this.#wrong('a key is missing');
      this.#skip(space);
      this.#expect(':');
      entries.push([key, this.value(depth + 1)]);
    });
    // Unlike an assignment, this makes `__proto__` an ordinary key.
    return Object.fromEntries(entries);
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#list(']', () => items.push(this.value(depth + 1)));
    return items;
  }

  /** Items between the bracket here and its partner, with commas between them and perhaps one behind. */
  #list(close: string, item: () => void): void {
    this.#at += 1;
    this.#skip(space);
    while (this.#text[this.#at] !== close) {
      item();
      this.#skip(space);
      if (this.#text[this.#at] === close) break;
      this.#expect(',');
      this.#skip(space);
    }
    this.#at += 1;
  }

  #string(quote: string): string {
    let result = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === quote) {
        this.#at += 1;
        return result;
      }
      result += character === '\\' ? this.#escape() : character;
    }
    throw this.#wrong('a string has no end');
  }

  #escape(): string {
    this.#at += 1;
    const character = this.#text.charAt(this.#at);
    if (character !== 'u') return escapes.get(character) ?? character;
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[\da-fA-F]{4}$/u.test(digits)) throw this.#wrong('a broken \\u escape');
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#wrong(`'${character}' is missing`);
    this.#at += 1;
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern);
  }

  /** What the sticky pattern finds right here. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #wrong(what: string): SyntaxError {
    return new SyntaxError(`${what} at character ${this.#at + 1}`);
  }
}
