/** Recognition by a program of this host, such as PocketSphinx with a grammar or whisper.cpp's own command. */
import { basename } from 'node:path';
import type { CommandEngine } from '../../core/voice-settings.js';
import type { RunProgram } from '../audio/run-program.js';
import { fillCommand, hasBlank } from '../command-line.js';
import type { Recogniser } from './recogniser.js';

/** A host without a graphics card needs about as long as the speech takes; beyond it, it hangs. */
const TIMEOUT_MS = 10 * 60_000;

/** What PocketSphinx needs, where the settings name the program alone. */
const sphinxOptions: readonly (readonly [string, string])[] = [
  ['-infile', '{audio}'],
  ['-hmm', '{model}'],
  ['-jsgf', '{grammar}'],
  ['-logfn', '/dev/null'],
];

const isSphinx = (program: string): boolean => basename(program).startsWith('pocketsphinx');

const complete = ([program = '', ...args]: readonly string[]): readonly string[] => {
  if (isSphinx(program))
    return [
      ...args,
      ...sphinxOptions.flatMap(([option, value]) => (args.includes(option) ? [] : [option, value])),
    ];
  return hasBlank(args, 'audio') ? args : [...args, '{audio}'];
};

export const createCommandRecogniser = (
  engine: CommandEngine & { readonly command: readonly string[]; readonly grammar?: string },
  run: RunProgram,
): Recogniser => {
  const [program = ''] = engine.command;
  const args = complete(engine.command);
  return {
    name: basename(program),
    takes: new Set(),
    maxBytes: Number.POSITIVE_INFINITY,
    recognise: async ({ path }, { language, folder, signal }) => {
      const { model, grammar } = engine;
      const filled = fillCommand(args, { audio: path, model, grammar, language });
      const { stdout } = await run({ program, args: filled, cwd: folder, timeoutMs: TIMEOUT_MS }, { signal });
      return Buffer.from(stdout).toString('utf8');
    },
  };
};
