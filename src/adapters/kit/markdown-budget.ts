/**
 * How much of a source is read as Markdown. Parsing takes microseconds for each line and mark, all in one go, and a
 * megabyte of them would hold up everything else for seconds; what comes after is shown as typed.
 */

/** In units of about a microsecond of one slow core: some 250,000 characters of ordinary prose. */
export const PARSE_BUDGET = 400_000;
const PER_LINE = 20;
const PER_MARK = 3;
const PER_UNIT = 0.5;

const NEWLINE = 10;
const MARKS = new Set([...'!#&*<>[]\\_`|~'].map((it) => it.charCodeAt(0)));

/** Where reading as Markdown ends: the length of the source, or the start of a line, or a place within an endless one. */
export function formattedEnd(source: string, budget = PARSE_BUDGET): number {
  let spent = 0;
  let lineStart = 0;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source.charCodeAt(at);
    spent += PER_UNIT;
    if (unit === NEWLINE) spent += PER_LINE;
    else if (MARKS.has(unit)) spent += PER_MARK;
    if (spent > budget) return lineStart === 0 ? wholeCharacter(source, at) : lineStart;
    if (unit === NEWLINE) lineStart = at + 1;
  }
  return source.length;
}

/** The same place, or the one before it where it would cut a character in two. */
function wholeCharacter(source: string, at: number): number {
  const unit = source.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
