import type { SettingsProblem } from '../core/errors.js';

export interface EnvFile {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly SettingsProblem[];
}

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/su;
const doubleQuoted = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/su;
const singleQuoted = /^'([^']*)'\s*(?:#.*)?$/su;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Undefined if a quote is left open. */
const readValue = (text: string): string | undefined => {
  if (text.startsWith('"'))
    return doubleQuoted
      .exec(text)?.[1]
      ?.replace(/\\(.)/gsu, (_, letter: string) => escapes[letter] ?? letter);
  if (text.startsWith("'")) return singleQuoted.exec(text)?.[1];
  // A # begins a comment after white space only: it is a fine character inside a secret.
  return text.replace(/(?:^|\s+)#.*$/su, '').trimEnd();
};

/**
 * Reads `KEY=value` lines: `export` before them, quotes around values, comments behind `#`. Nothing is interpolated.
 * A broken line is never shown, because it may be a secret pasted alone.
 */
export const parseEnvFile = (text: string): EnvFile => {
  const values: Record<string, string> = {};
  const problems: SettingsProblem[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const path = `.env line ${index + 1}`;
    const [, key, rest] = assignment.exec(line) ?? [];
    if (key === undefined || rest === undefined) {
      const advice = 'Write one NAME=value a line, a comment behind #, and nothing else.';
      problems.push({
        path,
        expected: 'NAME=value',
        got: 'a line that is not shown, as it may be a secret',
        advice,
      });
      continue;
    }
    const value = readValue(rest);
    if (value !== undefined) values[key] = value;
    else {
      const expected = `the value of ${key} to end with the quote that it begins with`;
      problems.push({ path, expected, got: 'an open quote', advice: 'Close the quote on the same line.' });
    }
  }
  return { values, problems };
};

const plain = /^[\w@%+=:,./*~-]*$/u;

const quote = (value: string): string =>
  plain.test(value) ? value : `"${value.replace(/["\\]/gu, '\\$&').replace(/\n/gu, '\\n')}"`;

/** What stands behind a value: blanks and a comment. */
const remarkOf = (rest: string): string => {
  if (/^["']/u.test(rest)) return /^(?:"(?:[^"\\]|\\.)*"|'[^']*')(\s*#.*)$/su.exec(rest)?.[1] ?? '';
  return /\s+#.*$/su.exec(rest)?.[0] ?? '';
};

/** The text with variables set, each where it stood or at the end, or taken away (undefined). Everything else stays. */
export const withVariables = (
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): string => {
  const left = new Map(Object.entries(variables));
  const lines = text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u);
  // From the end, as the last of several lines is the one that counts; those before it go.
  const kept = lines.toReversed().flatMap((line) => {
    const [, name, rest = ''] = assignment.exec(line.trim()) ?? [];
    if (name === undefined || !Object.hasOwn(variables, name)) return [line];
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) return [];
    const opening = /^\s*(?:export\s+)?/u.exec(line)?.[0] ?? '';
    return [`${opening}${name}=${quote(value)}${remarkOf(rest)}`];
  });
  const added = [...left].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(value)}`],
  );
  const all = [...kept.toReversed(), ...added];
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
};
