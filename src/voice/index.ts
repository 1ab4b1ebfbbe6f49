/**
 * Speech: what people say becomes words, and words are said aloud. Everything heavy is loaded when it is first needed, so
 * that a gateway on which nobody speaks knows nothing of it.
 */
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { GatewayError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import type { Block } from '../core/markdown.js';
import type { MediaStore } from '../core/media.js';
import type { StoredFile } from '../core/parts.js';
import type { ProcessPort } from '../core/process.js';
import type { VoiceService } from '../core/voice.js';
import type { VoiceSettings } from '../core/voice-settings.js';
import type { Ffmpeg } from './audio/ffmpeg.js';
import { createPrograms, type Programs } from './audio/programs.js';
import { createRunProgram, type RunProgram } from './audio/run-program.js';
import { createScopes, type WithScope } from './audio/scope.js';
import type { Recogniser } from './recognition/recogniser.js';
import type { SpeakDeps } from './synthesis/speak.js';
import type { Synthesiser } from './synthesis/synthesiser.js';

export { createSpeechFiles } from './speech-files.js';

export interface VoiceOptions {
  readonly settings: VoiceSettings;
  readonly processes: ProcessPort;
  readonly media: Pick<MediaStore, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The home's cache. */
  readonly cache: string;
  /** The platforms' parser. */
  readonly loadParser: () => Promise<(markdown: string) => readonly Block[]>;
}

const loadRecogniser = async (
  engine: VoiceSettings['recognition']['engines'][number],
  run: RunProgram,
): Promise<Recogniser> => {
  if (engine.type !== 'local')
    return (await import('./recognition/openai.js')).createOpenAiRecogniser(engine);
  const { command } = engine;
  if (command === undefined)
    return (await import('./recognition/whisper.js')).createWhisperRecogniser(engine);
  return (await import('./recognition/command.js')).createCommandRecogniser({ ...engine, command }, run);
};

const loadSynthesiser = async (
  engine: VoiceSettings['synthesis']['engines'][number],
  run: RunProgram,
): Promise<Synthesiser> => {
  switch (engine.type) {
    case 'edge':
      return (await import('./synthesis/edge.js')).createEdgeSynthesiser(engine);
    case 'openai':
      return (await import('./synthesis/openai.js')).createOpenAiSynthesiser(engine);
    case 'elevenlabs':
      return (await import('./synthesis/elevenlabs.js')).createElevenLabsSynthesiser(engine);
    case 'local':
      return (await import('./synthesis/command.js')).createCommandSynthesiser(engine, run);
  }
};

/** Programs that the settings need and that are not there. */
const missingPrograms = async ({ recognition, synthesis }: VoiceSettings, programs: Programs) => {
  const isUsed = recognition.engines.length > 0 || synthesis.mode !== 'off';
  const local = recognition.engines.flatMap((one) =>
    one.type === 'local' ? (one.command?.slice(0, 1) ?? []) : [],
  );
  const names = isUsed ? ['ffmpeg', ...local] : [];
  const advice = names.map((name) => programs.need(name).then(() => [], adviceOf));
  return (await Promise.all(advice)).flat();
};

/** Sentences about programs that the settings need and that are not there. */
export const findMissingPrograms = (settings: VoiceSettings): Promise<readonly string[]> =>
  missingPrograms(settings, createPrograms(settings.programFolders));

const adviceOf = (error: unknown): readonly string[] => [
  `Voice: ${error instanceof Error ? error.message : String(error)} Until then some recordings cannot be heard, and replies go as sound files.`,
];

export const createVoice = (options: VoiceOptions): VoiceService => {
  const { settings, processes, media, clock, logger, cache } = options;
  const programs = createPrograms(settings.programFolders);
  const run = createRunProgram(processes, programs);
  const withScope = createScopes(join(cache, 'voice'));
  const loadFfmpeg = () => import('./audio/ffmpeg.js').then(({ createFfmpeg }) => createFfmpeg(run));
  let recognisers: Promise<readonly Recogniser[]> | undefined;
  let speaking: Promise<SpeakDeps> | undefined;
  const base = { ffmpeg: loadFfmpeg, programs, withScope, media, clock, logger };
  const loadSpeaking = (): Promise<SpeakDeps> => {
    speaking ??= Promise.all(settings.synthesis.engines.map((engine) => loadSynthesiser(engine, run))).then(
      (synthesisers) => ({ ...base, synthesisers, settings: settings.synthesis }),
    );
    return speaking;
  };
  return {
    listens: settings.recognition.engines.length > 0,
    isEchoed: settings.recognition.isEchoed,
    maxMs: settings.recognition.maxMs,
    mode: settings.synthesis.mode,
    hear: async (recording, { signal }) => {
      recognisers ??= Promise.all(settings.recognition.engines.map((engine) => loadRecogniser(engine, run)));
      const { hear } = await import('./recognition/hear.js');
      const { maxMs, language } = settings.recognition;
      const deps = {
        ...base,
        recognisers: await recognisers,
        maxMs,
        ...(language !== undefined && { language }),
      };
      return hear(recording, deps, { signal });
    },
    prepare: async (markdown) => {
      const [{ toEar }, parse] = await Promise.all([import('./synthesis/to-ear.js'), options.loadParser()]);
      const { text, isWhole } = toEar(parse(markdown));
      return { text, isWhole };
    },
    speak: async (ear, { signal, voice }) => {
      const { speak } = await import('./synthesis/speak.js');
      return speak(ear, { signal, ...(voice !== undefined && { voice }) }, await loadSpeaking());
    },
    toVoice: (file, { signal }) => toVoice(file, { ...base, signal }),
    voices: async ({ signal }) => {
      const [first] = (await loadSpeaking()).synthesisers;
      return (await first?.voices({ signal })) ?? [];
    },
    problems: () => missingPrograms(settings, programs),
  };
};

interface ToVoiceDeps {
  readonly ffmpeg: () => Promise<Ffmpeg>;
  readonly programs: Programs;
  readonly withScope: WithScope;
  readonly media: Pick<MediaStore, 'take'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const toVoice = async (
  file: StoredFile,
  { signal, ...deps }: ToVoiceDeps,
): ReturnType<VoiceService['toVoice']> => {
  const plain = { type: 'media', kind: 'audio', file } as const;
  try {
    const { asItIs, toVoicePart } = await import('./synthesis/to-voice.js');
    if ((await deps.programs.find('ffmpeg')) === undefined) return await asItIs(file, deps.programs);
    return await deps.withScope((folder) => toVoicePart([file.path], folder, deps, { signal }));
  } catch (error) {
    signal.throwIfAborted();
    deps.logger.warn({ error, file: file.fileName }, 'sound file not made a voice message');
    // An OGG that cannot be read here has the right form: let its platform judge it.
    if (file.mimeType === 'audio/ogg') return { part: { ...plain, kind: 'voice' } };
    return { part: plain, problem: noBubble(file, error) };
  }
};

const noBubble = ({ fileName }: StoredFile, error: unknown): string =>
  `${fileName} goes as a sound file: ${error instanceof GatewayError ? error.message : 'it cannot be converted'}`;
