/** Speech by a program of this host: eSpeak NG, or another that the settings name. */
import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CommandEngine } from '../../core/voice-settings.js';
import type { RunProgram } from '../audio/run-program.js';
import { fillCommand, hasBlank } from '../command-line.js';
import { engineError } from '../engine-error.js';
import type { Synthesiser } from './synthesiser.js';

const MAX_UNITS = 4_000;
const TIMEOUT_MS = 120_000;
/** Bytes of a WAV file without a sample. */
const EMPTY_WAV_BYTES = 44;

/** The text goes in a file, so that it is never taken for an option, whatever it begins with. */
const espeak = ['espeak-ng', '-v', '{voice}', '-f', '{text_file}', '-w', '{output}'];

/** Languages that eSpeak NG knows under another name. */
const espeakNames: Readonly<Record<string, string>> = { zh: 'cmn', en: 'en-us' };

const isEspeak = (program: string): boolean => basename(program).startsWith('espeak');

const complete = (command: readonly string[] | undefined): readonly string[] => {
  if (command === undefined) return espeak;
  const [program = ''] = command;
  if (command.length === 1 && isEspeak(program)) return [program, ...espeak.slice(1)];
  return command;
};

/** `espeak-ng --voices`: columns of priority, language, age and sex, name, file. */
const parseVoices = (listing: string) =>
  listing
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, language] = line.trim().split(/\s+/u);
      return language === undefined ? [] : [{ name: language, language }];
    });

export const createCommandSynthesiser = (engine: CommandEngine, run: RunProgram): Synthesiser => {
  const [program = '', ...args] = complete(engine.command);
  const name = basename(program);
  return {
    name,
    maxUnits: MAX_UNITS,
    voiceFor: (language) =>
      isEspeak(program) ? (espeakNames[language] ?? language) : (engine.model ?? language),
    speak: async (text, { voice, folder, signal }) => {
      const id = randomUUID();
      const textFile = join(folder, `text-${id}.txt`);
      const output = join(folder, `spoken-${id}.wav`);
      await writeFile(textFile, text, { mode: 0o600 });
      const values = { voice, output, text_file: textFile, text, model: engine.model };
      const result = await run(
        { program, args: fillCommand(args, values), cwd: folder, timeoutMs: TIMEOUT_MS },
        { signal },
      );
      // One that names no output writes the sound to its own.
      if (!hasBlank(args, 'output')) await writeFile(output, result.stdout, { mode: 0o600 });
      const size = (await stat(output).catch(() => undefined))?.size ?? 0;
      if (size <= EMPTY_WAV_BYTES) throw engineError(`${name} made no sound`);
      return output;
    },
    voices: async ({ signal }) => {
      if (!isEspeak(program)) return engine.model === undefined ? [] : [{ name: engine.model }];
      const call = { program, args: ['--voices'], cwd: '/', timeoutMs: 10_000 };
      return parseVoices(Buffer.from((await run(call, { signal })).stdout).toString('utf8'));
    },
  };
};
