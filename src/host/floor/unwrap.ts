/** What a command really runs, beneath what it is wrapped in: sudo, env, a shell's `-c`, a decoding pipe. Pure. */
import { basename } from 'node:path';
import { parseShell, type ShellCommand } from './shell-words.js';

/** Deeper nesting is nothing that anybody writes to be understood. */
const maxDepth = 8;

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);

/** Programs that run the rest of their line, and which of their options take a word of their own. */
const wrappers: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugpCTRDhrt]$|^--(?:user|group|prompt|chdir|host|role|type)$/u,
  doas: /^-[uC]$/u,
  env: /^-[uCS]$|^--(?:unset|chdir)$/u,
  nice: /^-n$/u,
  ionice: /^-[cnp]$/u,
  timeout: /^-[ks]$|^--(?:signal|kill-after)$/u,
  stdbuf: /^-[ioe]$/u,
  xargs: /^-[IndLPsaE]$/u,
  nohup: /^$/u,
  setsid: /^$/u,
  time: /^-[fo]$/u,
  exec: /^-a$/u,
  command: /^$/u,
  builtin: /^$/u,
  busybox: /^$/u,
  toybox: /^$/u,
  watch: /^-[nd]$/u,
  chrt: /^$/u,
  strace: /^-[eopsu]$/u,
  unshare: /^$/u,
};

/** Words of the shell's own before a command. */
const keywords = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', '!']);

const assignment = /^[A-Za-z_]\w*\+?=/u;

export const programOf = ({ words }: ShellCommand): string =>
  basename(words[0] ?? '').replace(/\.exe$/iu, '');

/** Every command that the line leads to, outer and inner ones. */
export const unwrapLine = (line: string, depth = 0): readonly ShellCommand[] => {
  const commands = parseShell(line);
  return commands.flatMap((command, index) => unwrap(command, commands.slice(0, index), depth));
};

/** The same for a program that is started without a shell. */
export const unwrapArgv = (argv: readonly string[]): readonly ShellCommand[] =>
  unwrap({ words: argv, redirects: [], isPiped: false }, [], 0);

const unwrap = (
  command: ShellCommand,
  before: readonly ShellCommand[],
  depth: number,
): readonly ShellCommand[] => {
  const bare = strip(command);
  const scripts = depth < maxDepth ? scriptsOf(bare, before) : [];
  return [bare, ...scripts.flatMap((script) => unwrapLine(script, depth + 1))];
};

const strip = (command: ShellCommand): ShellCommand => {
  let { words } = command;
  for (;;) {
    const first = words[0] ?? '';
    if (assignment.test(first) || keywords.has(first)) {
      words = words.slice(1);
      continue;
    }
    const takesWord = wrappers[basename(first)];
    if (takesWord === undefined || words.length < 2) return { ...command, words };
    words = withoutOptions(words.slice(1), takesWord, basename(first) === 'timeout');
  }
};

const withoutOptions = (
  words: readonly string[],
  takesWord: RegExp,
  hasOperand: boolean,
): readonly string[] => {
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (word === '--') {
      index += 1;
      break;
    }
    if (!word.startsWith('-') && !assignment.test(word)) break;
    index += takesWord.test(word) ? 2 : 1;
  }
  return words.slice(hasOperand ? index + 1 : index);
};

/** Command lines that the command runs. */
const scriptsOf = (command: ShellCommand, before: readonly ShellCommand[]): readonly string[] => {
  const { words, input } = command;
  const program = programOf(command);
  if (program === 'eval') return [words.slice(1).join(' ')];
  if (program === 'find') return execOf(words);
  if (program === 'su' || program === 'script' || program === 'flock')
    return afterOption(words, /^-\w*c$|^--command$/u);
  if (!shells.has(program)) return [];
  const given = afterOption(words, /^-\w*c\w*$/u);
  if (given.length > 0) return given;
  const isReading = words.slice(1).every((word) => word.startsWith('-'));
  if (!isReading) return [];
  return [...(input === undefined ? [] : [input]), ...(command.isPiped ? pipedText(before) : [])];
};

const afterOption = (words: readonly string[], option: RegExp): readonly string[] => {
  const index = words.findIndex((word) => option.test(word));
  const script = index < 0 ? undefined : words[index + 1];
  return script === undefined ? [] : [script];
};

/** `find … -exec rm -rf {} ;` with what it finds. */
const execOf = (words: readonly string[]): readonly string[] => {
  const index = words.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/u.test(word));
  if (index < 0) return [];
  const roots = words.slice(1).filter((word, at) => at + 1 < index && !word.startsWith('-'));
  const inner = words.slice(index + 1).filter((word) => word !== ';' && word !== '+');
  return roots.map((root) => inner.map((word) => quote(word === '{}' ? root : word)).join(' '));
};

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What a pipe of words and decoders hands to a shell, where it can be told without running it. */
const pipedText = (before: readonly ShellCommand[]): readonly string[] => {
  const decoders: string[] = [];
  for (const command of [...before].reverse()) {
    const program = programOf(command);
    if (program === 'echo' || program === 'printf') {
      const said = command.words
        .slice(1)
        .filter((word) => !/^-[neE]+$/u.test(word))
        .join(' ');
      return [decoders.reduceRight(decode, said)];
    }
    decoders.push([program, ...command.words.slice(1)].join(' '));
    if (command.input !== undefined) return [decoders.reduceRight(decode, command.input)];
    if (!command.isPiped) return [];
  }
  return [];
};

const decode = (text: string, decoder: string): string => {
  if (/^base64 (?:.*\s)?(?:-\w*[dD]\w*|--decode)/u.test(decoder))
    return Buffer.from(text, 'base64').toString('utf8');
  if (/^xxd .*-\w*r/u.test(decoder)) return Buffer.from(text.replace(/\s/gu, ''), 'hex').toString('utf8');
  if (/^rev\b/u.test(decoder)) return [...text].reverse().join('');
  if (/^openssl .*base64.*\s-d/u.test(decoder)) return Buffer.from(text, 'base64').toString('utf8');
  return text;
};
