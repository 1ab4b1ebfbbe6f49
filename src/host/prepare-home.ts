import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError, type SettingsProblem } from '../core/errors.js';

interface HomeFolders {
  readonly home: string;
  readonly folders: readonly string[];
  readonly workspace: string;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const userId = (): string => (process.getuid === undefined ? 'this user' : `user id ${process.getuid()}`);

const ownerOf = (path: string): string => {
  try {
    return `it belongs to user id ${statSync(path).uid}`;
  } catch {
    return `it is not there and cannot be made in ${dirname(path)}`;
  }
};

const describe = (path: string, error: unknown): Pick<SettingsProblem, 'got' | 'advice'> => {
  const elsewhere = 'set HERMES_HOME to a folder that may be written, e.g. HERMES_HOME=/var/lib/hermes';
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM': {
      const chown =
        process.getuid === undefined ? '' : `Run \`sudo chown -R ${process.getuid()} ${path}\`, or `;
      return { got: `no permission for ${userId()} (${ownerOf(path)})`, advice: `${chown}${elsewhere}.` };
    }
    case 'EROFS':
      return { got: 'a read-only file system', advice: `Mount it writable, or ${elsewhere}.` };
    case 'ENOTDIR':
    case 'EEXIST':
      return { got: 'a file where a folder has to be', advice: `Move that file away, or ${elsewhere}.` };
    case 'ENOSPC':
    case 'EDQUOT':
      return { got: 'a full disk', advice: `Free some space, or ${elsewhere}.` };
    default:
      return { got: codeOf(error), advice: `No folder can be made there; ${elsewhere}.` };
  }
};

/** By hand, since Node's own `recursive` never ends where a file system answers as /proc does. */
const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolder(parent);
    mkdirSync(path, { mode: 0o700 });
  }
};

const prepare = (path: string): void => {
  makeFolder(path);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
};

const notes = `# Notes

This folder is the workspace: the agent reads files here, and you put here what it is to read.
Try it: write "read notes.txt" in a chat. Delete this file whenever you like; it does not come back.
`;

/** Something to read for a first try. */
const prepareWorkspace = (path: string): void => {
  const isNew = !existsSync(path);
  prepare(path);
  if (isNew) writeFileSync(join(path, 'notes.txt'), notes, { mode: 0o600, flag: 'wx' });
};

/**
 * Makes the home's folders, private ones (0700). Folders that are there keep their mode: a HERMES_HOME mistyped as
 * `/tmp` must not lock others out. Throws a ConfigError `unusable-home` that names the folder and what to do.
 */
export const prepareHome = ({ home, folders, workspace }: HomeFolders): void => {
  const entries = [
    ['HERMES_HOME', home],
    ['workspace', workspace],
    ...folders.map((path) => ['HERMES_HOME', path]),
  ];
  for (const [setting = '', path = ''] of entries) {
    try {
      if (setting === 'workspace') prepareWorkspace(path);
      else prepare(path);
    } catch (error) {
      const problem = {
        path: setting,
        expected: `a folder that may be written at ${path}`,
        ...describe(path, error),
      };
      throw new ConfigError('unusable-home', [problem]);
    }
  }
};
