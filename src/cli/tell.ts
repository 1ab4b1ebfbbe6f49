import type { Output } from './edge.js';
import { wrap } from './wrap.js';

const WIDTH = 80;
const opening = /^(\s*)(hermes [\w-]+: |hermes: |Warning: )?/u;

const wrapLine = (line: string): string => {
  if (line.length <= WIDTH) return line;
  const [, spaces = '', prefix] = opening.exec(line) ?? [];
  const indent = prefix === undefined ? spaces : `${spaces}  `;
  return wrap(line, { width: WIDTH - indent.length, indent });
};

/** Breaks a text for people at 80 columns. What holds no space, like a path, stays whole. */
const toColumns = (text: string): string => text.split('\n').map(wrapLine).join('\n');

/** Says something to people; not for data, and not for log lines. */
export const tell = (output: Output, text: string): void => output.write(toColumns(text));
