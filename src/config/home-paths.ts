import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SettingsProblem } from '../core/errors.js';

/** Where everything of one home lies; absolute paths. */
export interface HomePaths {
  readonly home: string;
  readonly settingsFile: string;
  readonly envFile: string;
  readonly socket: string;
  readonly logs: string;
  readonly cache: string;
  /** Folders below the home that a gateway expects to be there. */
  readonly folders: readonly string[];
}

const folders = [
  'cron/output',
  'scripts',
  'skills',
  'memories',
  'plugins',
  'cache/images',
  'cache/audio',
  'cache/videos',
  'cache/documents',
  'logs',
  'whatsapp/session',
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** `~` and `~/…` mean the user's own folder; a relative path is one below `base`. */
export const expandPath = (path: string, base: string): string =>
  /^~(?:\/|$)/u.test(path) ? join(homedir(), path.slice(1)) : resolve(base, path);

/** The longest address of a unix socket is 107 bytes on Linux and 103 on macOS; a home may be carried from one to the other. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Undefined where the home can hold its control socket. */
export const checkHome = ({ home, socket }: HomePaths): SettingsProblem | undefined => {
  const spareBytes = MAX_SOCKET_PATH_BYTES - Buffer.byteLength(socket);
  if (spareBytes >= 0) return undefined;
  const bytes = Buffer.byteLength(home);
  return {
    path: 'HERMES_HOME',
    expected: `a folder whose path has at most ${bytes + spareBytes} bytes, because no socket can have a longer one`,
    got: `${home} (${bytes} bytes)`,
    advice: 'Take a shorter path, or a link: `ln -s THE_LONG_PATH ~/hermes`, then HERMES_HOME=~/hermes.',
  };
};

/** HERMES_HOME or `~/.hermes`; a relative one is taken from the working folder. */
export const locateHome = (environment: Environment): HomePaths => {
  const given = environment['HERMES_HOME']?.trim();
  const home = expandPath(given === undefined || given === '' ? '~/.hermes' : given, process.cwd());
  return {
    home,
    settingsFile: join(home, 'config.yaml'),
    envFile: join(home, '.env'),
    socket: join(home, 'gateway.sock'),
    logs: join(home, 'logs'),
    cache: join(home, 'cache'),
    folders: folders.map((folder) => join(home, folder)),
  };
};
