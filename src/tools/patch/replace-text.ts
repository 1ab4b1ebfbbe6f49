/** One text for another, as a model quotes it. */
import { findLines, nearestLines, reindent } from './find-lines.js';

export interface Replacement {
  readonly wanted: string;
  readonly added: string;
  /** Every place, not just the only one. */
  readonly isEverywhere: boolean;
}

/** `problem`: why nothing was replaced and what to do. */
export type Replaced =
  | { readonly ok: true; readonly text: string; readonly count: number; readonly isExact: boolean }
  | { readonly ok: false; readonly problem: string };

export const replaceText = (text: string, replacement: Replacement): Replaced => {
  const { wanted, added, isEverywhere } = replacement;
  const pieces = text.split(wanted);
  const count = pieces.length - 1;
  if (count === 1 || (count > 1 && isEverywhere))
    return { ok: true, text: pieces.join(added), count, isExact: true };
  if (count > 1) return ambiguous(placesOf(text, wanted));
  const unescaped = wanted.includes('\n') ? undefined : withoutEscapes(wanted);
  if (unescaped !== undefined && text.includes(unescaped))
    return replaceText(text, { wanted: unescaped, added: withoutEscapes(added) ?? added, isEverywhere });
  return replaceLines(text, replacement);
};

/** A model that escaped twice writes `\n` and means a line break. */
const withoutEscapes = (text: string): string | undefined => {
  const plain = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
  return plain === text ? undefined : plain;
};

const placesOf = (text: string, wanted: string): readonly number[] => {
  const lines: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    lines.push(text.slice(0, at).split('\n').length);
  return lines;
};

const maxPlaces = 10;

const ambiguous = (lines: readonly number[]): Replaced => ({
  ok: false,
  problem: `old_string is there ${lines.length} times, at line ${lines.slice(0, maxPlaces).join(', ')}${lines.length > maxPlaces ? ', …' : ''}. Give more lines around the one you mean, or replace_all: true for all of them.`,
});

const withoutLastEnd = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' && lines.length > 1 ? lines.slice(0, -1) : lines;
};

const replaceLines = (text: string, { wanted, added, isEverywhere }: Replacement): Replaced => {
  const lines = text.split('\n');
  const sought = withoutLastEnd(wanted);
  const { starts } = findLines(lines, sought);
  if (starts.length === 0)
    return {
      ok: false,
      problem: `old_string is not there. Read the file and copy the lines exactly as they are, without line numbers.${nearestLines(lines, sought)}`,
    };
  if (starts.length > 1 && !isEverywhere) return ambiguous(starts.map((start) => start + 1));
  const given = added === '' ? [] : withoutLastEnd(added);
  const result = [...lines];
  for (const start of starts.toReversed()) {
    const found = lines.slice(start, start + sought.length);
    result.splice(start, sought.length, ...reindent(given, { wanted: sought, found }));
  }
  return { ok: true, text: result.join('\n'), count: starts.length, isExact: false };
};
