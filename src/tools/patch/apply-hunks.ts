/** Puts hunks into a text, at the place they mean. */
import { findLines, nearestLines, reindent } from './find-lines.js';
import type { Hunk, HunkLine } from './parse-patch.js';

export type Applied =
  | { readonly ok: true; readonly text: string; readonly isExact: boolean }
  /** Why, and what to do; nothing of the patch counts then. */
  | { readonly ok: false; readonly problem: string };

/** Lines of context at the edges of a hunk that may be wrong, as with the usual programs. */
const maxFuzz = 2;

export const applyHunks = (text: string, hunks: readonly Hunk[]): Applied => {
  const lines = text.split('\n');
  let isExact = true;
  let cursor = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const place = findPlace(lines, hunk, { cursor, shift });
    if (!place.ok) return { ok: false, problem: `Hunk ${index + 1} of ${hunks.length}: ${place.problem}` };
    const { start, lines: meant } = place;
    const wanted = meant.filter(({ mark }) => mark !== '+');
    const found = lines.slice(start, start + wanted.length);
    const added = fill(meant, found);
    lines.splice(start, wanted.length, ...added);
    cursor = start + added.length;
    shift += added.length - wanted.length;
    isExact &&= place.isExact;
  }
  return { ok: true, text: lines.join('\n'), isExact };
};

type FoundPlace =
  | {
      readonly ok: true;
      readonly start: number;
      readonly lines: readonly HunkLine[];
      readonly isExact: boolean;
    }
  | { readonly ok: false; readonly problem: string };

interface Before {
  /** Behind the hunk before. */
  readonly cursor: number;
  /** Lines that the hunks before added. */
  readonly shift: number;
}

/** Without its outermost `fuzz` lines of context. */
const loosen = (lines: readonly HunkLine[], fuzz: number): readonly HunkLine[] => {
  const first = lines.findIndex(({ mark }) => mark !== ' ');
  const last = lines.findLastIndex(({ mark }) => mark !== ' ');
  return lines.slice(Math.min(fuzz, first), Math.max(lines.length - fuzz, last + 1));
};

const findPlace = (lines: readonly string[], hunk: Hunk, before: Before): FoundPlace => {
  const wanted = hunk.lines.flatMap(({ mark, text }) => (mark === '+' ? [] : [text]));
  const anchored = anchorOf(lines, hunk, before.cursor);
  if (anchored === undefined)
    return { ok: false, problem: `There is no line '${hunk.anchor ?? ''}'.${nearestLines(lines, wanted)}` };
  if (wanted.length === 0) return insertion(lines, hunk, { ...before, cursor: anchored });
  for (let fuzz = 0; fuzz <= maxFuzz; fuzz += 1) {
    const meant = loosen(hunk.lines, fuzz);
    const sought = meant.flatMap(({ mark, text }) => (mark === '+' ? [] : [text]));
    const { starts, isExact } = findLines(lines, sought);
    const hint = hunk.line === undefined ? undefined : hunk.line - 1 + before.shift + fuzz;
    const start = choose(starts, { hint, cursor: anchored });
    if (start === 'several')
      return {
        ok: false,
        problem: `Its lines are there ${starts.length} times (at line ${starts.map((one) => one + 1).join(', ')}). Give more context lines, or '@@ ' and a line that stands before the one you mean.`,
      };
    if (start !== undefined) return { ok: true, start, lines: meant, isExact: isExact && fuzz === 0 };
  }
  return {
    ok: false,
    problem: `Its context and removed lines are not there. Read the file and copy them exactly.${nearestLines(lines, wanted)}`,
  };
};

/** Behind the anchor; the cursor where there is none; undefined: the anchor is not there. */
const anchorOf = (lines: readonly string[], { anchor }: Hunk, cursor: number): number | undefined => {
  if (anchor === undefined) return cursor;
  const behind = findLines(lines.slice(cursor), [anchor]).starts[0];
  if (behind !== undefined) return cursor + behind + 1;
  const partly = lines.findIndex((line, index) => index >= cursor && line.includes(anchor));
  return partly === -1 ? undefined : partly + 1;
};

const choose = (
  starts: readonly number[],
  { hint, cursor }: { readonly hint: number | undefined; readonly cursor: number },
): number | 'several' | undefined => {
  const behind = starts.filter((start) => start >= cursor);
  const open = behind.length > 0 ? behind : starts;
  if (open.length < 2) return open[0];
  // Behind something else, the next place is meant; at the top of the file nothing says which.
  if (hint === undefined) return cursor > 0 ? open[0] : 'several';
  return open.toSorted((one, other) => Math.abs(one - hint) - Math.abs(other - hint))[0];
};

/** A hunk that only adds: where its number or its anchor says, else at the end. */
const insertion = (lines: readonly string[], hunk: Hunk, { cursor, shift }: Before): FoundPlace => {
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const start =
    hunk.anchor === undefined && hunk.line === undefined ? end : Math.max(cursor, (hunk.line ?? 0) + shift);
  return { ok: true, start: Math.min(start, end), lines: hunk.lines, isExact: true };
};

/** Context stays as the file has it; what is added gets the file's indentation. */
const fill = (meant: readonly HunkLine[], found: readonly string[]): readonly string[] => {
  const wanted = meant.flatMap(({ mark, text }) => (mark === '+' ? [] : [text]));
  let at = 0;
  return meant.flatMap(({ mark, text }) => {
    if (mark === '+') return reindent([text], { wanted, found });
    at += 1;
    return mark === ' ' ? [found[at - 1] ?? text] : [];
  });
};
