/**
 * Whether an answer asks for silence: the marker as the whole of it, or alone on its first or last line, in any letter
 * case, ignoring code marks, punctuation behind it and a missing bracket. One that only mentions it is delivered.
 */
const marker = /^[\s`*_]*\[silent\]?[\s`*_.!,;:]*$/iu;

export const isSilent = (text: string): boolean => {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !/^\s*`{3}\w*\s*$/u.test(line) && line.trim() !== '');
  return [lines[0], lines.at(-1)].some((line) => line !== undefined && marker.test(line));
};
