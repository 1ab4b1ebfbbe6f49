/**
 * MEMORY.md and USER.md in a folder of the home.
 * 1. One change at a time, made of what the file says then: an operator may edit it by hand.
 * 2. A file is written whole beside its place and renamed: a crash leaves the old one or the new one.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { never, ToolError } from '../core/errors.js';
import {
  applyMemoryChange,
  type MemoryStore,
  type MemoryTopic,
  memoryLimits,
  memorySeparator,
} from '../core/memory.js';
import { toPlainText } from '../core/plain-text.js';

const fileNames: Readonly<Record<MemoryTopic, string>> = { notes: 'MEMORY.md', user: 'USER.md' };
/** More than both limits by far, also where an operator wrote it. */
const MAX_CHARACTERS = 20_000;

export interface MemoryFilesDeps {
  /** Absolute; made when something is first kept. */
  readonly folder: string;
  /** Removes every configured secret from a text. */
  readonly redact: (text: string) => string;
}

const refuse = (message: string): ToolError =>
  new ToolError({ code: 'invalid-input', message: `Nothing was changed: ${message}`, retry: never });

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

const writeText = async (folder: string, name: string, text: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}.${randomUUID()}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
};

export const createMemoryFiles = ({ folder, redact }: MemoryFilesDeps): MemoryStore => {
  let last: Promise<unknown> = Promise.resolve();
  const entries = async (topic: MemoryTopic): Promise<readonly string[]> => {
    const text = toPlainText(await readText(join(folder, fileNames[topic]))).slice(0, MAX_CHARACTERS);
    return text
      .split(memorySeparator)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  };
  const change: MemoryStore['change'] = async (topic, given) => {
    const wanted = given.kind === 'remove' ? given : { ...given, text: toEntry(given.text) };
    if (wanted.kind !== 'remove' && wanted.text === '') throw refuse('an entry needs words.');
    if (wanted.kind !== 'remove' && redact(wanted.text) !== wanted.text)
      throw refuse('that has a password or key in it, and none is ever kept there.');
    const result = applyMemoryChange(await entries(topic), wanted, memoryLimits[topic]);
    if ('problem' in result) throw refuse(result.problem);
    await writeText(folder, fileNames[topic], `${result.entries.join(memorySeparator)}\n`);
    return result.entries;
  };
  return {
    entries,
    change: (topic, given) => {
      const done = last.then(() => change(topic, given));
      last = done.catch(() => {});
      return done;
    },
  };
};

/** A line with the separator alone would make two of one. */
const toEntry = (text: string): string =>
  toPlainText(text)
    .split('\n')
    .filter((line) => line.trim() !== '§')
    .join('\n')
    .trim();
