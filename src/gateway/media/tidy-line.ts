/** What is left of a line once its media tags are taken out. Pure. */

const pairs: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '<': '>',
  '（': '）',
  '【': '】',
  '「': '」',
  '*': '*',
  _: '_',
};
const onlyMarks = /^[\s.,;:!?…。，、！？；：*_]*$/u;
const leadingMarks = /^[\s.,;:!?…。，、！？；：]+/u;
/** A list item or heading with nothing in it. */
const emptyBlock = /^[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6})?[ \t]*$/u;

/** Takes away brackets and emphasis that only held the tag between the two texts. */
const unwrap = (left: string, right: string): readonly [string, string] => {
  let head = left.trimEnd();
  let tail = right;
  for (;;) {
    const closing = pairs[head.at(-1) ?? ''];
    const rest = tail.trimStart();
    if (closing === undefined || !rest.startsWith(closing)) break;
    head = head.slice(0, -1);
    tail = rest.slice(1);
  }
  return [head === left.trimEnd() ? left : head, tail];
};

const join = (left: string, right: string, isLast: boolean): string => {
  const [head, tail] = unwrap(left, right);
  if (onlyMarks.test(tail)) return isLast ? head.trimEnd() : head;
  if (emptyBlock.test(head)) return `${head}${tail.replace(leadingMarks, '')}`;
  const next = tail.trimStart();
  return `${head.trimEnd()}${/^[.,;:!?)\]。，、！？；：）]/u.test(next) ? '' : ' '}${next}`;
};

/**
 * `pieces`: the texts before, between and behind the tags, at least two. Undefined where nothing worth keeping is left.
 */
export const tidyLine = (pieces: readonly string[]): string | undefined => {
  const [first = '', ...others] = pieces;
  const line = others.reduce((left, right, index) => join(left, right, index === others.length - 1), first);
  return emptyBlock.test(line) || onlyMarks.test(line) ? undefined : line.trimEnd();
};

/** True for a line whose begin alone does not say yet whether it will be kept. */
export const isEmptyBlock = (line: string): boolean => emptyBlock.test(line);
