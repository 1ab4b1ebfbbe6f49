/**
 * A recording to words. Place in the flow: inbox* → (here) → router.
 *
 * 1. Nothing that is empty, silent, too long or no recording reaches an engine, which would make words of it.
 * 2. What an engine takes is sent as it is; everything else becomes 16 kHz mono, and what is too large goes in portions.
 */
import { basename, extname, join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import { GatewayError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { StoredFile } from '../../core/parts.js';
import type { Heard } from '../../core/voice.js';
import type { Ffmpeg, SpeechFile } from '../audio/ffmpeg.js';
import type { Programs } from '../audio/programs.js';
import type { WithScope } from '../audio/scope.js';
import { isSilent, toPortions } from '../audio/silences.js';
import { TooLargeError } from '../engine-error.js';
import { tryEngines } from '../try-engines.js';
import { withLimit } from '../with-limit.js';
import { withoutInventions } from './invented.js';
import type { Recogniser, SoundFile } from './recogniser.js';

/** Longer ones are too large for some engines, and lose words in others. */
const PORTION_MS = 10 * 60_000;
/** Until an engine has answered, beside the time that a slow host needs for the speech itself. */
const ANSWER_MS = 30_000;

export interface HearDeps {
  readonly recognisers: readonly Recogniser[];
  readonly ffmpeg: () => Promise<Ffmpeg>;
  readonly programs: Programs;
  readonly withScope: WithScope;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxMs: number;
  readonly language?: string;
}

/** A recording that is ready for any engine. */
interface Ready {
  readonly recording: SoundFile & { readonly sizeBytes: number };
  /** Absent where ffmpeg is. */
  readonly speech?: SpeechFile;
  readonly folder: string;
}

/** Services judge a file by the ending of its name. */
const endings: Readonly<Record<string, string>> = {
  'audio/ogg': '.ogg',
  'audio/mpeg': '.mp3',
  'audio/mp4': '.m4a',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'audio/wav': '.wav',
  'audio/flac': '.flac',
};

const toSound = ({ path, mimeType, sizeBytes }: StoredFile): Ready['recording'] => ({
  path,
  fileName: `speech${endings[mimeType] ?? extname(path)}`,
  mimeType,
  sizeBytes,
});

const toWav = ({ path }: SpeechFile): SoundFile => ({
  path,
  fileName: basename(path),
  mimeType: 'audio/wav',
});

const inPortions = async (
  engine: Recogniser,
  { speech, folder }: Ready & { readonly speech: SpeechFile },
  { ffmpeg, language }: HearDeps,
  signal: AbortSignal,
): Promise<string> => {
  const tools = await ffmpeg();
  const texts: string[] = [];
  for (const span of toPortions(speech.durationMs, speech.silences, PORTION_MS)) {
    const path = await tools.toPortion(speech, span, folder, { signal });
    const sound = { path, fileName: basename(path), mimeType: 'audio/ogg' };
    const text = await engine.recognise(sound, {
      ...(language !== undefined && { language }),
      folder,
      signal,
    });
    texts.push(withoutInventions(text));
  }
  return texts.filter((text) => text !== '').join(' ');
};

const recogniseWith = async (
  engine: Recogniser,
  { recording, speech, folder }: Ready,
  deps: HearDeps,
  signal: AbortSignal,
): Promise<string> => {
  const fits = (sizeBytes: number): boolean => sizeBytes <= engine.maxBytes;
  const isTaken = engine.takes.has(recording.mimeType) && fits(recording.sizeBytes);
  const language = deps.language === undefined ? {} : { language: deps.language };
  const options = { ...language, folder, signal };
  // Without ffmpeg what needs no change still works.
  if (speech === undefined) {
    if (!isTaken) await deps.programs.need('ffmpeg');
    return engine.recognise(recording, options);
  }
  const isLong = Number.isFinite(engine.maxBytes) && speech.durationMs > PORTION_MS;
  const whole = isTaken ? recording : fits(speech.sizeBytes) ? toWav(speech) : undefined;
  if (whole === undefined || isLong) return inPortions(engine, { recording, speech, folder }, deps, signal);
  try {
    return await engine.recognise(whole, options);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return inPortions(engine, { recording, speech, folder }, deps, signal);
  }
};

const hearIn = async (
  folder: string,
  file: StoredFile,
  deps: HearDeps,
  signal: AbortSignal,
): Promise<Heard> => {
  const { recognisers, programs, maxMs, clock } = deps;
  const hasFfmpeg = (await programs.find('ffmpeg')) !== undefined;
  const speech = hasFfmpeg
    ? await (await deps.ffmpeg()).toSpeech(file.path, { folder, maxMs }, { signal })
    : undefined;
  if (speech !== undefined && isSilent(speech.silences, speech.durationMs)) return { type: 'silence' };
  const ready = { recording: toSound(file), folder, ...(speech !== undefined && { speech }) };
  const limitMs = ANSWER_MS + 2 * (speech?.durationMs ?? ANSWER_MS);
  const tried = await tryEngines(
    recognisers,
    (engine) =>
      withLimit(engine.name, { clock, limitMs, signal }, (limited) =>
        recogniseWith(engine, ready, deps, limited),
      ),
    { ...deps, signal },
  );
  if (!tried.ok) return { type: 'failed', reason: tried.reason };
  const text = withoutInventions(tried.result);
  return text === '' ? { type: 'silence' } : { type: 'words', text, remarks: tried.remarks };
};

/** Rejects only with the signal's reason. */
export const hear = async (
  file: StoredFile,
  deps: HearDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<Heard> => {
  if (deps.recognisers.length === 0)
    return {
      type: 'failed',
      reason: 'nothing here recognises speech yet: its operator sets `stt.provider` in config.yaml',
    };
  try {
    return await deps.withScope((folder) => hearIn(folder, file, deps, signal));
  } catch (error) {
    signal.throwIfAborted();
    deps.logger.warn({ error, file: join('…', basename(file.path)) }, 'recording not understood');
    return { type: 'failed', reason: error instanceof GatewayError ? error.message : 'it cannot be read' };
  }
};
