/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
const distance = (from: string, to: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[to.length] ?? 0;
};

/** The known name that was probably meant; undefined if none is near. */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  const plain = name.toLowerCase().replaceAll('-', '_');
  // A third of the word wrong is a slip, more is another word.
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(plain, candidate.toLowerCase());
    if (edits <= limit && edits < (best?.edits ?? limit + 1)) best = { name: candidate, edits };
  }
  return best?.name;
};
