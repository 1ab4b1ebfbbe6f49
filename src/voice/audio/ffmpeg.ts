/**
 * Everything that ffmpeg is asked for. fluent-ffmpeg writes the command line; the process is ours, so that it has a limit
 * and is ended with its group.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fluent from 'fluent-ffmpeg';
import { never, ToolError } from '../../core/errors.js';
import type { RunProgram } from './run-program.js';
import { parseSilences, type Span } from './silences.js';
import { toWaveform } from './waveform.js';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** Speech as engines want it: a file of 16 kHz, mono, 16 bit. */
export interface SpeechFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly silences: readonly Span[];
}

/** A voice message as platforms want it: OGG with Opus, 48 kHz, mono. */
export interface BubbleFile {
  readonly path: string;
  readonly durationMs: number;
  /** 64 values from 0 to 255. */
  readonly waveform: Uint8Array;
}

export interface Ffmpeg {
  /** Rejects with a ToolError `invalid-input` for what is no recording or is longer than `maxMs`. */
  toSpeech(
    input: string,
    limits: { readonly folder: string; readonly maxMs: number },
    options: CallOptions,
  ): Promise<SpeechFile>;
  /** One portion of a speech file, small: OGG with Opus at 24 kbit/s. */
  toPortion(speech: SpeechFile, span: Span, folder: string, options: CallOptions): Promise<string>;
  /** One file of several, in their order. */
  toBubble(inputs: readonly string[], folder: string, options: CallOptions): Promise<BubbleFile>;
}

const SPEECH_RATE = 16_000;
/** The drawing needs no more, and an hour stays small. */
const WAVEFORM_RATE = 4_000;
const WAV_HEADER_BYTES = 44;
const SILENCE = 'silencedetect=n=-45dB:d=0.35,ametadata=mode=print:file=-';
/** Decoding is many times faster than speaking; a file that takes longer is hostile. */
const TIMEOUT_MS = 120_000;

const noRecording = (cause: unknown): ToolError =>
  new ToolError({
    code: 'invalid-input',
    message: 'it is no recording that can be played',
    retry: never,
    cause,
  });

/** What is wrong with the file and not with the host. */
const isAboutFile = (error: unknown): boolean =>
  error instanceof ToolError && error.code === 'failed' && /^ffmpeg failed/u.test(error.message);

const secondsOf = (ms: number): string => (ms / 1000).toFixed(3);

const argsOf = (command: fluent.FfmpegCommand): readonly string[] => [
  '-nostdin',
  '-hide_banner',
  '-v',
  'error',
  ...command._getArguments().map(String),
];

const samplesMs = (bytes: number, rate: number): number => Math.round((bytes / 2 / rate) * 1000);

const speechCommand = (input: string, path: string, maxMs: number): fluent.FfmpegCommand =>
  fluent(input)
    // One second more than is taken, so that a longer one is known as such without being decoded whole.
    .inputOptions(['-t', secondsOf(maxMs + 1_000)])
    .noVideo()
    .audioFilters(SILENCE)
    .audioChannels(1)
    .audioFrequency(SPEECH_RATE)
    .audioCodec('pcm_s16le')
    .outputOptions(['-map_metadata', '-1', '-bitexact'])
    .format('wav')
    .output(path);

const portionCommand = (input: string, path: string, { startMs, endMs }: Span): fluent.FfmpegCommand =>
  fluent(input)
    .inputOptions(['-ss', secondsOf(startMs), '-t', secondsOf(endMs - startMs)])
    .audioCodec('libopus')
    .audioBitrate('24k')
    .format('ogg')
    .output(path);

/** The bubble into a file, and its samples for the drawing to standard output. */
const bubbleCommand = (inputs: readonly string[], path: string): fluent.FfmpegCommand => {
  const labels = inputs.map((_, index) => `[${index}:a:0]`).join('');
  const joined = `${labels}concat=n=${inputs.length}:v=0:a=1,aresample=48000,asplit=2[bubble][drawing]`;
  return inputs
    .reduce((all, input) => all.input(input), fluent())
    .complexFilter(joined)
    .output(path)
    .outputOptions(['-map', '[bubble]', '-map_metadata', '-1', '-application', 'voip'])
    .audioChannels(1)
    .audioFrequency(48_000)
    .audioCodec('libopus')
    .audioBitrate('32k')
    .format('ogg')
    .output('pipe:1')
    .outputOptions(['-map', '[drawing]'])
    .audioChannels(1)
    .audioFrequency(WAVEFORM_RATE)
    .format('s16le');
};

const asFileTrouble = (error: unknown): never => {
  throw isAboutFile(error) ? noRecording(error) : error;
};

export const createFfmpeg = (run: RunProgram): Ffmpeg => {
  const ffmpeg = (command: fluent.FfmpegCommand, folder: string, options: CallOptions) =>
    run({ program: 'ffmpeg', args: argsOf(command), cwd: folder, timeoutMs: TIMEOUT_MS }, options);
  return {
    toSpeech: async (input, { folder, maxMs }, options) => {
      const path = join(folder, 'speech.wav');
      const { stdout } = await ffmpeg(speechCommand(input, path, maxMs), folder, options).catch(
        asFileTrouble,
      );
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.size <= WAV_HEADER_BYTES) throw noRecording(undefined);
      const durationMs = samplesMs(found.size - WAV_HEADER_BYTES, SPEECH_RATE);
      if (durationMs > maxMs) {
        const message = `it is longer than ${Math.round(maxMs / 60_000)} minutes`;
        throw new ToolError({ code: 'invalid-input', message, retry: never });
      }
      const silences = parseSilences(Buffer.from(stdout).toString('latin1'), durationMs);
      return { path, sizeBytes: found.size, durationMs, silences };
    },
    toPortion: async (speech, span, folder, options) => {
      const path = join(folder, `portion-${span.startMs}.ogg`);
      await ffmpeg(portionCommand(speech.path, path, span), folder, options);
      return path;
    },
    toBubble: async (inputs, folder, options) => {
      const path = join(folder, 'bubble.ogg');
      const { stdout } = await ffmpeg(bubbleCommand(inputs, path), folder, options).catch(asFileTrouble);
      if (stdout.length === 0) throw noRecording(undefined);
      return { path, durationMs: samplesMs(stdout.length, WAVEFORM_RATE), waveform: toWaveform(stdout) };
    },
  };
};
