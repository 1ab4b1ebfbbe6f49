import { toJson } from '../json-text.js';

/** What a database would give back: a copy that shares nothing with the original, without U+0000. */
export const copyOf = <T>(value: T): T =>
  // Stored values are plain data, so what JSON gives back has the type that went in.
  JSON.parse(toJson(value)) as T;
