import type { SettingsProblem } from '../core/errors.js';

/** Every problem as two lines: what is wrong, what to write. */
export const formatProblems = (problems: readonly SettingsProblem[]): string => {
  const count = problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`;
  const lines = problems.map(({ path, expected, got, advice }) => {
    const where = path === '' ? '' : `${path}: `;
    return `  ${where}expected ${expected}, got ${got}.\n    ${advice}\n`;
  });
  return `${count} with the settings:\n${lines.join('')}`;
};

export const formatWarnings = (warnings: readonly string[]): string =>
  warnings.map((warning) => `Warning: ${warning}\n`).join('');
