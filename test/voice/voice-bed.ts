/** What tests of speech share: the real programs of this host, in folders that go with the test. */
import { execFileSync } from 'node:child_process';
import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findProgram, voicePrograms } from '../../scripts/system-programs.mjs';
import { parseMarkdown } from '../../src/adapters/kit/markdown-parse.js';
import type { StoredFile } from '../../src/core/parts.js';
import type { VoiceService } from '../../src/core/voice.js';
import type { VoiceSettings } from '../../src/core/voice-settings.js';
import {
  createGuardedFetch,
  createMediaStore,
  createProcessPort,
  createSystemClock,
} from '../../src/host/index.js';
import { createFfmpeg } from '../../src/voice/audio/ffmpeg.js';
import { createPrograms } from '../../src/voice/audio/programs.js';
import { createRunProgram } from '../../src/voice/audio/run-program.js';
import { createVoice } from '../../src/voice/index.js';
import { startVoiceEmulator, type VoiceEmulator } from '../emulators/voice/server.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';

export const hasPrograms = voicePrograms.every((program) => findProgram(program) !== undefined);

const searchPath: readonly string[] = (process.env['PATH'] ?? '').split(':');

export const neverAborts = new AbortController().signal;

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-voice-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

export const createAudioBed = async () => {
  const folder = await temporaryFolder();
  const programs = createPrograms(searchPath);
  const processes = createProcessPort({ clock: createSystemClock() });
  const run = createRunProgram(processes, programs);
  return { folder, programs, processes, run, ffmpeg: createFfmpeg(run) };
};

/** Makes a recording by hand; `args` are everything after the inputs. */
export const record = (
  folder: string,
  name: string,
  input: readonly string[],
  args: readonly string[] = [],
) => {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...input, ...args, path], { stdio: 'ignore' });
  return path;
};

export const tone = (seconds: number, hertz = 440): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${hertz}:duration=${seconds}`,
];

export const quiet = (seconds: number): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `anullsrc=r=16000:cl=mono:d=${seconds}`,
];

/** Half a second of sound, then silence that takes no room on the disk. */
export const sparseWav = (
  folder: string,
  name: string,
  { seconds, rate, channels }: { readonly seconds: number; readonly rate: number; readonly channels: number },
): string => {
  const path = join(folder, name);
  const dataBytes = seconds * rate * channels * 2;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  const sound = Buffer.alloc(rate * channels);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(at % 64 < 32 ? 8_000 : -8_000, at);
  writeFileSync(path, Buffer.concat([header, sound]));
  truncateSync(path, header.length + dataBytes);
  return path;
};

export interface Probed {
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  readonly container: string;
  readonly seconds: number;
}

/** What ffprobe says of a file. */
export const probe = (path: string): Probed => {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  const output = execFileSync(
    'ffprobe',
    ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path],
    { encoding: 'utf8' },
  );
  const { streams, format } = JSON.parse(output);
  const [stream] = streams;
  return {
    codec: stream.codec_name,
    channels: stream.channels,
    sampleRate: Number(stream.sample_rate),
    container: format.format_name,
    seconds: Number(format.duration),
  };
};

export const say = (folder: string, name: string, words: string): string => {
  const path = join(folder, name);
  execFileSync('espeak-ng', ['-v', 'en', '-s', '140', '-w', path, words]);
  return path;
};

/** Resolves when the condition holds. */
export const until = (holds: () => boolean): Promise<void> =>
  expect.poll(holds, { timeout: 10_000, interval: 5 }).toBe(true);

const noEngines: VoiceSettings = {
  recognition: { engines: [], maxMs: 30 * 60_000, isEchoed: false },
  synthesis: { engines: [{ type: 'local' }], mode: 'off', voices: {} },
  programFolders: searchPath,
};

/** Speech with a loopback service, a clock in the test's hand, and the real programs. */
export const createVoiceBed = async (
  settings: (emulator: VoiceEmulator) => Partial<VoiceSettings>,
): Promise<{
  readonly voice: VoiceService;
  readonly emulator: VoiceEmulator;
  readonly clock: ManualClock;
  readonly logger: MemoryLogger;
  readonly folder: string;
  /** Names of what is left of temporary files. */
  left(): Promise<readonly string[]>;
  file(path: string, mimeType: string): Promise<StoredFile>;
}> => {
  const folder = await temporaryFolder();
  const emulator = await startVoiceEmulator();
  onTestFinished(() => emulator.close());
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const cache = join(folder, 'cache');
  const voice = createVoice({
    settings: { ...noEngines, ...settings(emulator) },
    processes: createProcessPort({ clock: createSystemClock() }),
    media: createMediaStore({
      home: folder,
      workspace: join(folder, 'workspace'),
      allowDirs: [],
      fetch: createGuardedFetch({ clock }),
    }),
    clock,
    logger,
    cache,
    loadParser: async () => parseMarkdown,
  });
  return {
    voice,
    emulator,
    clock,
    logger,
    folder,
    left: async () => readdir(join(cache, 'voice')).catch(() => []),
    file: async (path, mimeType) => ({
      path,
      fileName: basename(path),
      mimeType,
      sizeBytes: (await stat(path)).size,
    }),
  };
};
