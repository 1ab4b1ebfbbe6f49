/** A SKILL.md to what it says of itself and what it says. Pure. */
import { parse } from 'yaml';
import * as z from 'zod';
import { toPlainLine, toPlainText } from '../core/plain-text.js';
import { toSkillName } from '../core/skill.js';

const MAX_DESCRIPTION = 400;
export const namePattern = /^[a-z0-9][a-z0-9.-]{0,63}$/u;

export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  /** As the head names them: macos, linux, windows. Empty: all. */
  readonly platforms: readonly string[];
  readonly text: string;
}

const head = z.object({
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  platforms: z
    .union([z.array(z.string()), z.string().transform((one) => [one])])
    .optional()
    .catch(undefined),
});

const fence = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/u;

const readHead = (yaml: string): z.infer<typeof head> => {
  try {
    // A head of a few lines has no use for aliases, and they can be made to grow without end.
    return head.catch({}).parse(parse(yaml, { maxAliasCount: 0, logLevel: 'silent' }));
  } catch {
    return {};
  }
};

const firstLine = (text: string): string => {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#'));
  return line ?? '';
};

/** `folderName`: what it is called if its head says nothing usable. Undefined if nothing usable is left. */
export const parseSkill = (raw: string, folderName: string): ParsedSkill | undefined => {
  const plain = toPlainText(raw);
  const match = fence.exec(plain);
  const { name, description, platforms = [] } = match === null ? {} : readHead(match[1] ?? '');
  const text = (match === null ? plain : plain.slice(match[0].length)).trim();
  const names = [name ?? '', folderName].map((one) => toSkillName(one).replaceAll(' ', '-'));
  const usable = names.find((one) => namePattern.test(one));
  if (usable === undefined) return undefined;
  return {
    name: usable,
    description: toPlainLine(description ?? firstLine(text), MAX_DESCRIPTION),
    platforms: platforms.map((one) => one.toLowerCase()),
    text,
  };
};
