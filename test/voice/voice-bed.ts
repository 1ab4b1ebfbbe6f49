/** What tests of speech share: the real programs of this host, in folders that go with the test. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findProgram, voicePrograms } from '../../scripts/system-programs.mjs';
import { createProcessPort, createSystemClock } from '../../src/host/index.js';
import { createFfmpeg } from '../../src/voice/audio/ffmpeg.js';
import { createPrograms } from '../../src/voice/audio/programs.js';
import { createRunProgram } from '../../src/voice/audio/run-program.js';

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
