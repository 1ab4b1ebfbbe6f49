/** Finds lines of a text that are meant rather than quoted: models get spaces, indentation and quotation marks wrong. */

/** From exact to lenient; the first under which lines are found counts. */
const readings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toPlain(line.trim()),
  (line) => toPlain(line).replaceAll(/\s+/gu, ''),
];

const plainSigns: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201A\u201B]/gu, "'"],
  [/[\u201C\u201D\u201E\u201F]/gu, '"'],
  [/[\u2010-\u2015\u2212]/gu, '-'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/gu, ' '],
  [/\u2026/gu, '...'],
];

const toPlain = (line: string): string =>
  plainSigns.reduce((plain, [sign, usual]) => plain.replace(sign, usual), line);

export interface FoundLines {
  /** Indexes of first lines, ascending; empty: not there. */
  readonly starts: readonly number[];
  readonly isExact: boolean;
}

/** `wanted` has at least one line that is not blank, or nothing is found. */
export const findLines = (lines: readonly string[], wanted: readonly string[]): FoundLines => {
  if (wanted.every((line) => line.trim() === '')) return { starts: [], isExact: false };
  for (const [rank, read] of readings.entries()) {
    const texts = lines.map(read);
    const sought = wanted.map(read);
    const starts = findAll(texts, sought);
    if (starts.length > 0) return { starts, isExact: rank === 0 };
  }
  return { starts: [], isExact: false };
};

const findAll = (lines: readonly string[], wanted: readonly string[]): readonly number[] => {
  const starts: number[] = [];
  for (let start = lines.indexOf(wanted[0] ?? ''); start !== -1; ) {
    const isHere = wanted.every((line, index) => lines[start + index] === line);
    if (isHere) starts.push(start);
    start = lines.indexOf(wanted[0] ?? '', start + (isHere ? wanted.length : 1));
  }
  return starts;
};

const indentOf = (line: string): string => /^[ \t]*/u.exec(line)?.[0] ?? '';

/** New lines with the indentation that the file has where the wanted lines have another. */
export const reindent = (
  added: readonly string[],
  { wanted, found }: { readonly wanted: readonly string[]; readonly found: readonly string[] },
): readonly string[] => {
  const index = wanted.findIndex((line) => line.trim() !== '');
  const asked = indentOf(wanted[index] ?? '');
  const real = indentOf(found[index] ?? '');
  if (asked === real) return added;
  return added.map((line) => {
    if (line.trim() === '' || !line.startsWith(asked)) return line;
    return `${real}${line.slice(asked.length)}`;
  });
};

const maxNear = 12;

/** The part of the file that is most like the wanted lines, numbered, for a model that has to try again. */
export const nearestLines = (lines: readonly string[], wanted: readonly string[]): string => {
  const words = new Set(wanted.map((line) => toPlain(line.trim())).filter((line) => line !== ''));
  let best = { score: 0, start: 0 };
  const hits = lines.map((line) => (words.has(toPlain(line.trim())) ? 1 : 0));
  for (let start = 0; start < lines.length; start += 1) {
    const score = hits.slice(start, start + wanted.length).reduce<number>((sum, hit) => sum + hit, 0);
    if (score > best.score) best = { score, start };
  }
  if (best.score === 0) return '';
  const shown = lines.slice(best.start, best.start + Math.min(maxNear, wanted.length + 2));
  const numbered = shown.map((line, index) => `${best.start + index + 1}\t${line}`);
  return `\nThe nearest there is:\n${numbered.join('\n')}`;
};
