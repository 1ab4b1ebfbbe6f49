/** What a single command is never run for. Pure. */
import { basename, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../secret-paths.js';
import { type FloorPlaces, isDisk, pathProblem } from './places.js';
import type { ShellCommand } from './shell-words.js';
import { programOf } from './unwrap.js';

export interface RuleContext {
  readonly places: FloorPlaces;
  /** Absolute. */
  readonly cwd: string;
}

/** As a path, with what a shell would put in; undefined for a word that is none. */
export const toPath = (word: string, { places, cwd }: RuleContext): string | undefined => {
  const value = word
    .replace(/^-{1,2}[\w-]+=/u, '')
    .replace(/^[a-z]\w*=(?=[/~$.@])/u, '')
    .replace(/^@/u, '');
  if (value === '' || value.startsWith('-') || /^\w+:\/\//u.test(value)) return undefined;
  const full = value
    .replace(/^~(?=\/|$)/u, places.userHome)
    .replace(/\$(?:\{HERMES_HOME[^}]*\}|HERMES_HOME\b)/gu, places.home)
    .replace(/\$(?:\{HOME[^}]*\}|HOME\b)/gu, places.userHome)
    .replace(/\$(?:\{PWD[^}]*\}|PWD\b)/gu, cwd)
    .replace(/^file:\/\//u, '');
  return isAbsolute(full) ? resolve(full) : resolve(cwd, full);
};

const systemFolders = new Set(
  [
    '',
    'bin',
    'boot',
    'dev',
    'etc',
    'home',
    'lib',
    'lib64',
    'opt',
    'proc',
    'root',
    'sbin',
    'srv',
    'sys',
    'usr',
    'var',
  ].map((name) => `/${name}`),
);

const hasFlag = (words: readonly string[], letters: RegExp, long: RegExp): boolean =>
  words.some((word) => (/^-[^-]/u.test(word) && letters.test(word)) || long.test(word));

/** Folders whose loss is the loss of the system, of the person's files, or of the gateway. */
const isVital = (path: string, { places }: RuleContext): boolean => {
  const folder = path.replace(/\/(?:\*|\.\*|\{[^/]*\})$/u, '') || '/';
  return (
    systemFolders.has(folder) ||
    folder === places.userHome ||
    isInside(places.home, folder) ||
    isInside(places.program, folder)
  );
};

type Rule = (command: ShellCommand, context: RuleContext) => string | undefined;

const wipesFolder: Rule = (command, context) => {
  const program = programOf(command);
  const { words } = command;
  const isRemoval =
    (program === 'rm' && hasFlag(words, /[rR]/u, /^--recursive$/u)) ||
    (program === 'find' && words.includes('-delete')) ||
    program === 'shred' ||
    (program === 'chmod' && hasFlag(words, /R/u, /^--recursive$/u)) ||
    (program === 'chown' && hasFlag(words, /R/u, /^--recursive$/u));
  if (!isRemoval) return undefined;
  const named = words.slice(1).map((word) => toPath(word, context));
  const paths = program === 'find' && named[0] === undefined ? [context.cwd] : named;
  const vital = paths.find((path) => path !== undefined && isVital(path, context));
  return vital && `It would wipe or lock ${vital}.`;
};

const formats =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|wipefs|blkdiscard|sgdisk|sfdisk|fdisk|parted|cfdisk|hdparm)$/u;
const writers = /^(?:dd|cp|mv|tee|shred|install|rsync|truncate|badblocks)$/u;

const wipesDisk: Rule = (command, context) => {
  const paths = command.words.slice(1).map((word) => toPath(word, context) ?? '');
  const program = programOf(command);
  const isListing = command.words.some((word) => /^(?:-l|--list|-J|--json)$/u.test(word));
  if (formats.test(program) && !isListing && paths.some((path) => path.startsWith('/dev/')))
    return 'It would format or wipe a disk.';
  // What is written to comes last, or is named.
  const written =
    program === 'dd' ? command.words.filter((word) => word.startsWith('of=')) : command.words.slice(-1);
  const isWriting = writers.test(program) && written.some((word) => isDisk(toPath(word, context) ?? ''));
  return isWriting ? 'It would overwrite a disk.' : undefined;
};

const killers = new Set(['kill', 'pkill', 'killall', 'killall5', 'skill', 'fuser', 'slay']);
const own = /hermes|\bnode\b|gateway/iu;

const endsGateway: Rule = (command, { places }) => {
  const program = programOf(command);
  const rest = command.words.slice(1);
  const text = rest.join(' ');
  if (/^(?:shutdown|reboot|halt|poweroff|kexec)$/u.test(program)) return 'It would stop this host.';
  if (/^(?:init|telinit)$/u.test(program) && /^[0-6]$/u.test(rest[0] ?? ''))
    return 'It would stop this host.';
  if (program === 'systemctl' || program === 'service' || program === 'launchctl') {
    const stops =
      /\b(?:stop|restart|kill|disable|mask|poweroff|reboot|halt|isolate|emergency|rescue|unload|bootout)\b/u;
    return stops.test(text) && (own.test(text) || /\b(?:poweroff|reboot|halt|rescue|emergency)\b/u.test(text))
      ? 'It would stop the gateway or this host.'
      : undefined;
  }
  if (!killers.has(program)) return undefined;
  const isListing = /^(?:-l|-L|--list)$/u.test(rest[0] ?? '');
  const isNumbered = rest.some((word, index) => isOwnProcess(word, index, rest, places.pid));
  const isNamed = own.test(text) || /\$PPID|pidof|pgrep|gateway\.lock/u.test(text) || program === 'killall5';
  return !isListing && (isNumbered || isNamed) ? 'It would end the gateway.' : undefined;
};

/** `-1` is every process, `1` the first of all; a signal is no process. */
const isOwnProcess = (word: string, index: number, words: readonly string[], pid: number): boolean => {
  const number = word.replace(/^-/u, '');
  if (!/^\d+$/u.test(number)) return false;
  const isSignal = index === 0 && word.startsWith('-') && words.length > 1;
  return !isSignal && (Number(number) === pid || number === '1' || number === '0');
};

/** Programs that only say that something is there. */
const lookers = /^(?:ls|cd|pwd|du|df|stat|test|\[|echo|printf|mkdir|realpath|basename|dirname|file|tree)$/u;
const readers =
  /^(?:ls|cd|pwd|du|df|stat|test|\[|echo|printf|realpath|basename|dirname|file|tree|cat|bat|head|tail|less|more|grep|egrep|fgrep|rg|ag|find|fd|wc|diff|cmp|sort|uniq|cut|awk|jq|nl|od|xxd|strings|md5sum|sha\d+sum|cksum|source|\.)$/u;

const reachesGateway: Rule = (command, context) => {
  const program = programOf(command);
  const words = program === 'echo' || program === 'printf' ? [] : command.words.slice(1);
  for (const word of words) {
    const path = toPath(word, context);
    const problem = path && wordProblem(path, program, context);
    if (problem) return problem;
  }
  for (const { operator, target } of command.redirects) {
    const path = toPath(target, context);
    const access = operator.includes('>') ? 'write' : 'read';
    const problem = path && (pathProblem(path, access, context.places) ?? globProblem(path, context));
    if (problem) return problem;
  }
  return undefined;
};

const wordProblem = (path: string, program: string, context: RuleContext): string | undefined => {
  const { places } = context;
  if (path === places.home && !lookers.test(program) && places.workspace !== places.home)
    return `${path} holds the gateway's own secrets and settings.`;
  // Disks have a rule of their own.
  if (isDisk(path)) return undefined;
  const isWriting = !readers.test(program);
  return pathProblem(path, isWriting ? 'write' : 'read', places) ?? globProblem(path, context);
};

/** Names in the home that a pattern could mean. */
const secretNames = [
  '.env',
  'config.yaml',
  'state.db',
  'state.db-wal',
  'gateway.db',
  'gateway.sock',
  'gateway.lock',
];

const globProblem = (path: string, { places }: RuleContext): string | undefined => {
  if (!/[*?[{]/u.test(path)) return undefined;
  const pattern = toPattern(path);
  const hit = secretNames.map((name) => join(places.home, name)).find((secret) => pattern.test(secret));
  return hit && `${path} would reach ${basename(hit)}, which belongs to the gateway.`;
};

const toPattern = (glob: string): RegExp => {
  const source = glob
    .replace(/[.+^$()|\\]/gu, '\\$&')
    .replace(/\*+/gu, '.*')
    .replace(/\?/gu, '.')
    .replace(/\{([^{}]*)\}/gu, (_all, inside: string) => `(?:${inside.replaceAll(',', '|')})`);
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    return /^$/u;
  }
};

const rules: readonly Rule[] = [wipesFolder, wipesDisk, endsGateway, reachesGateway];

/** Why the command is never run; undefined: it may be asked about. */
export const commandProblem = (command: ShellCommand, context: RuleContext): string | undefined => {
  for (const rule of rules) {
    const problem = rule(command, context);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
