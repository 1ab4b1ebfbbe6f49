/** Where the programs are that make, read and recognise sound. */
import { access, constants } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { never, ToolError } from '../../core/errors.js';

/** What installs a program, by its name. */
const packages: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  'espeak-ng': 'espeak-ng',
  pocketsphinx_continuous: 'pocketsphinx pocketsphinx-en-us',
};

export interface Programs {
  /** Absolute path of a program by its name or path; undefined if there is none. */
  find(name: string): Promise<string | undefined>;
  /** The same. Rejects with a ToolError that says how to install it. */
  need(name: string): Promise<string>;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** A sentence with the command that installs a program. */
const adviseProgram = (name: string): string => {
  const debian = packages[name];
  if (debian === undefined) return `The program ${name} is not installed, or not in PATH.`;
  return `${name} is not installed: \`apt-get install ${debian}\` (Debian, Ubuntu) or \`brew install ${debian.split(' ')[0]}\` (macOS) installs it.`;
};

/** `folders`: as in PATH. Looked up each time, so that a program which was installed meanwhile is found. */
export const createPrograms = (folders: readonly string[]): Programs => {
  const find = async (name: string): Promise<string | undefined> => {
    const places = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    for (const path of places) if (await isExecutable(path)) return path;
    return undefined;
  };
  return {
    find,
    need: async (name) => {
      const path = await find(name);
      if (path !== undefined) return path;
      const advice = adviseProgram(name);
      throw new ToolError({ code: 'not-found', message: advice, retry: never, userText: advice });
    },
  };
};
