import type { HomePaths } from '../../config/home-paths.js';
import type { ReadSettings } from '../../config/index.js';
import { warnOfClosedPlatforms } from '../closed-platforms.js';
import { type Finding, withoutStop } from './finding.js';

const base = { id: 'settings', title: 'Settings' } as const;

/** The loader's own warnings say what to do in their last sentence. */
const toNote = (warning: string): Finding => {
  const [, what = warning, fix] = /^(.*?[.?!])\s+(.*)$/su.exec(warning) ?? [];
  return { ...base, state: 'note', text: withoutStop(what), ...(fix !== undefined && { fix }) };
};

export const checkSettings = (read: ReadSettings, { home }: HomePaths): readonly Finding[] => {
  const notes = [...read.warnings, ...(read.ok ? warnOfClosedPlatforms(read.settings) : [])].map(toNote);
  if (read.ok) return [{ ...base, state: 'ok', text: `those in ${home} can be used` }, ...notes];
  const problems = read.error.problems.map(({ path, expected, got, advice }): Finding => {
    const where = path === '' ? '' : `${path}: `;
    return { ...base, state: 'mend', text: `${where}expected ${expected}, got ${got}`, fix: advice };
  });
  return [...problems, ...notes];
};
