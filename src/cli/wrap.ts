interface WrapOptions {
  /** Most characters of a line, the indentation of later lines not counted. */
  readonly width: number;
  /** Put before every line but the first. */
  readonly indent: string;
}

/** Breaks a text at spaces. A word longer than a line keeps a line to itself; leading spaces stay. */
export const wrap = (text: string, { width, indent }: WrapOptions): string => {
  const [first = '', ...words] = text.trimEnd().split(/(?<=\S)\s+/u);
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
};
