const whitespace = /\s+/gu;

/** The longest beginning of at most `length` UTF-16 units that does not cut a character in two. */
export const cutText = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const endsInHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, endsInHalf ? length - 1 : length);
};

/** The same from the end of the text. */
const cutFront = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const first = text.charCodeAt(text.length - length);
  const beginsInHalf = first >= 0xdc00 && first <= 0xdfff;
  return text.slice(text.length - length + (beginsInHalf ? 1 : 0));
};

/** What of a long text is shown before the gap: its end mostly says more. */
const headShare = 0.4;

/** Leaves out the middle, at whole characters, and says how much that was; the note comes on top of `length`. */
export const cutMiddle = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const head = cutText(text, Math.floor(length * headShare));
  const tail = cutFront(text, length - Math.floor(length * headShare));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
};

/** Cuts at a whole character and says how much was left out; the note comes on top of `length`. */
export const capText = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const kept = cutText(text, length);
  return `${kept}\n[… ${text.length - kept.length} characters left out]`;
};

/** One line of at most `length` UTF-16 units, cut with an ellipsis. */
export const oneLine = (text: string, length: number): string => {
  const line = text.replace(whitespace, ' ').trim();
  return line.length <= length ? line : `${cutText(line, length - 1).trimEnd()}…`;
};

/** Without blank lines before and blanks behind; leading blanks of the first line may be Markdown and stay. */
export const trimAnswer = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/u, '').trimEnd();
