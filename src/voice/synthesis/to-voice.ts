/** Sound files to the part that carries them. */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaStore } from '../../core/media.js';
import type { OutboundMediaPart, StoredFile } from '../../core/parts.js';
import type { Ffmpeg } from '../audio/ffmpeg.js';
import { readOggOpus } from '../audio/ogg-opus.js';
import type { Programs } from '../audio/programs.js';

interface VoicePartDeps {
  readonly ffmpeg: () => Promise<Ffmpeg>;
  readonly programs: Programs;
  readonly media: Pick<MediaStore, 'take'>;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

const shownName = 'voice.ogg';

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A file as it is: a voice message if it happens to be one, else a sound file. */
export const asItIs = async (
  file: StoredFile,
  programs: Programs,
): Promise<{ readonly part: OutboundMediaPart; readonly problem?: string }> => {
  const durationMs = readOggOpus(await readFile(file.path));
  if (durationMs !== undefined) {
    // Nothing here can tell how loud it is: a level line.
    const waveform = toBase64(new Uint8Array(64).fill(128));
    return {
      part: { type: 'media', kind: 'voice', file: { ...file, fileName: shownName, durationMs, waveform } },
    };
  }
  const problem = await programs.need('ffmpeg').then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : undefined),
  );
  const part = { type: 'media', kind: 'audio', file } as const;
  return problem === undefined
    ? { part }
    : { part, problem: `${file.fileName} goes as a sound file: ${problem}` };
};

/** Several files become one. Rejects with a ToolError, or with the signal's reason. */
export const toVoicePart = async (
  paths: readonly string[],
  folder: string,
  deps: VoicePartDeps,
  options: CallOptions,
): Promise<{ readonly part: OutboundMediaPart; readonly problem?: string }> => {
  const [first] = paths;
  const hasFfmpeg = (await deps.programs.find('ffmpeg')) !== undefined;
  if (!hasFfmpeg && first !== undefined && paths.length === 1)
    return asItIs(await deps.media.take(first, options), deps.programs);
  const bubble = await (await deps.ffmpeg()).toBubble(paths, folder, options);
  const path = join(folder, shownName);
  await rename(bubble.path, path);
  const { durationMs, waveform } = bubble;
  const file = { ...(await deps.media.take(path, options)), durationMs, waveform: toBase64(waveform) };
  return { part: { type: 'media', kind: 'voice', file } };
};
