/** Commands of the settings with their blanks filled in. Pure. */

const blank = /\{(\w+)\}/gu;

/**
 * Fills `{name}` blanks. An argument with a blank that has no value is left out, and the option before it too. Nothing is
 * ever read by a shell: each argument stays one argument.
 */
export const fillCommand = (
  words: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const filled: string[] = [];
  for (const word of words) {
    const names = [...word.matchAll(blank)].map(([, name]) => name ?? '');
    if (names.some((name) => name in values && values[name] === undefined)) {
      if (/^-/u.test(filled.at(-1) ?? '')) filled.pop();
      continue;
    }
    filled.push(word.replace(blank, (whole, name: string) => values[name] ?? whole));
  }
  return filled;
};

/** Whether one of the blanks is there. */
export const hasBlank = (words: readonly string[], name: string): boolean =>
  words.some((word) => word.includes(`{${name}}`));
