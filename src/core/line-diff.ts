/** What changed between two texts, line by line, as people know it from version control. Pure. */

const contextLines = 3;
/** Beyond so many differences, finding the fewest costs more than it tells; then all of the middle counts as changed. */
const maxDifferences = 800;

interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

export interface TextDiff {
  /** Hunks with three lines around each change; empty for equal texts. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

export const diffTexts = (before: string, after: string): TextDiff => {
  const lines = diffLines(toLines(before), toLines(after));
  return {
    text: toHunks(lines).join('\n'),
    added: lines.filter(({ mark }) => mark === '+').length,
    removed: lines.filter(({ mark }) => mark === '-').length,
  };
};

const noLineEnd = '\\ No newline at end of file';

/** A last line without its end differs from the same with one, and says so. */
const toLines = (text: string): readonly string[] => {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n${noLineEnd}`];
};

const diffLines = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const kept = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...kept(before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...kept(before.slice(before.length - end)),
  ];
};

/** How far each diagonal of the edit graph is reached, before each further difference (Myers, 1986). */
const reachAll = (before: readonly string[], after: readonly string[]): readonly Int32Array[] | undefined => {
  const trace: Int32Array[] = [];
  const most = Math.min(before.length + after.length, maxDifferences);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  for (let differences = 0; differences <= most; differences += 1) {
    trace.push(reach.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const left = reach[middle + diagonal - 1] ?? 0;
      const above = reach[middle + diagonal + 1] ?? 0;
      const isDown = diagonal === -differences || (diagonal !== differences && left < above);
      let x = isDown ? above : left + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return undefined;
};

const diffMiddle = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const trace = reachAll(before, after);
  if (trace === undefined)
    return [
      ...before.map((text) => ({ mark: '-', text }) as const),
      ...after.map((text) => ({ mark: '+', text }) as const),
    ];
  const backwards: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const reach = trace[differences] ?? new Int32Array();
    const middle = (reach.length - 1) / 2;
    const diagonal = x - y;
    const left = reach[middle + diagonal - 1] ?? 0;
    const above = reach[middle + diagonal + 1] ?? 0;
    const isDown = diagonal === -differences || (diagonal !== differences && left < above);
    const fromX = isDown ? above : left;
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      if (differences > 0 && x === fromX + (isDown ? 0 : 1) && y === fromY + (isDown ? 1 : 0)) break;
      x -= 1;
      y -= 1;
      backwards.push({ mark: ' ', text: before[x] ?? '' });
    }
    if (differences === 0) break;
    if (isDown) backwards.push({ mark: '+', text: after[fromY] ?? '' });
    else backwards.push({ mark: '-', text: before[fromX] ?? '' });
    x = fromX;
    y = fromY;
  }
  return backwards.toReversed();
};

const toHunks = (lines: readonly DiffLine[]): readonly string[] => {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  const spans: { from: number; to: number }[] = [];
  for (const index of changed) {
    const from = Math.max(0, index - contextLines);
    const to = Math.min(lines.length, index + contextLines + 1);
    const last = spans.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else spans.push({ from, to });
  }
  let old = 1;
  let now = 1;
  let at = 0;
  return spans.map(({ from, to }) => {
    for (; at < from; at += 1) {
      old += 1;
      now += 1;
    }
    const shown = lines.slice(from, to);
    const oldCount = shown.filter(({ mark }) => mark !== '+').length;
    const newCount = shown.filter(({ mark }) => mark !== '-').length;
    const head = `@@ -${oldCount === 0 ? old - 1 : old},${oldCount} +${newCount === 0 ? now - 1 : now},${newCount} @@`;
    old += oldCount;
    now += newCount;
    at = to;
    return [head, ...shown.map(({ mark, text }) => `${mark}${text}`)].join('\n');
  });
};
