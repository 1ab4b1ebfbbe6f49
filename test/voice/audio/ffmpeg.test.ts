import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSilent, toPortions } from '../../../src/voice/audio/silences.js';
import { createAudioBed, hasPrograms, neverAborts, probe, quiet, record, tone } from '../voice-bed.js';

const options = { signal: neverAborts };
const HALF_HOUR_MS = 30 * 60_000;

describe.skipIf(!hasPrograms)('ffmpeg', () => {
  test.each([
    ['v.oga', ['-c:a', 'libopus', '-f', 'ogg']],
    ['v.ogg', ['-c:a', 'libvorbis']],
    ['v.mp3', []],
    ['v.m4a', ['-c:a', 'aac']],
    ['v.mp4', ['-c:a', 'aac']],
    ['v.webm', ['-c:a', 'libopus']],
    ['v.wav', []],
    ['bare', ['-c:a', 'libopus', '-f', 'ogg']],
  ])('makes 16 kHz mono speech of %s', async (name, args) => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = record(folder, name, tone(1), args);
    const speech = await ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options);
    expect(probe(speech.path)).toMatchObject({ codec: 'pcm_s16le', channels: 1, sampleRate: 16_000 });
    expect(Math.abs(speech.durationMs - 1_000)).toBeLessThan(120);
    expect(isSilent(speech.silences, speech.durationMs)).toBe(false);
  });

  test('makes speech of AMR, as old phones record it', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = join(folder, 'v.amr');
    // Frames of 20 ms at 12.2 kbit/s.
    const frame = Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31)]);
    await writeFile(
      input,
      Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: 50 }, () => frame)]),
    );
    const speech = await ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options);
    expect(speech.durationMs).toBe(1_000);
  });

  test('knows silence', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = record(folder, 'quiet.ogg', quiet(3), ['-c:a', 'libopus']);
    const speech = await ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options);
    expect(isSilent(speech.silences, speech.durationMs)).toBe(true);
  });

  test('takes the sound of a film', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = record(folder, 'note.mp4', ['-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', ...tone(1)]);
    const speech = await ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options);
    expect(probe(speech.path).channels).toBe(1);
  });

  test.each(['plain text under another name', '', '#!AMR\nbut nothing behind it'])(
    'refuses %j as no recording',
    async (content) => {
      const { folder, ffmpeg } = await createAudioBed();
      const input = join(folder, 'v.ogg');
      await writeFile(input, content);
      await expect(ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options)).rejects.toThrow(
        'it is no recording that can be played',
      );
    },
  );

  test('refuses a recording that is longer than its limit without decoding the whole', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = record(folder, 'long.wav', quiet(7_200), ['-c:a', 'pcm_u8', '-ar', '1000']);
    await expect(ffmpeg.toSpeech(input, { folder, maxMs: 120_000 }, options)).rejects.toThrow(
      'it is longer than 2 minutes',
    );
  });

  test('makes one mono OGG/Opus bubble of several files, with its length and how loud it is', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const inputs = [record(folder, 'a.mp3', tone(1)), record(folder, 'b.wav', quiet(1))];
    const bubble = await ffmpeg.toBubble(inputs, folder, options);
    expect(probe(bubble.path)).toMatchObject({
      codec: 'opus',
      channels: 1,
      sampleRate: 48_000,
      container: 'ogg',
    });
    expect(Math.abs(bubble.durationMs - 2_000)).toBeLessThan(150);
    expect(bubble.waveform).toHaveLength(64);
    expect(Math.max(...bubble.waveform.slice(0, 30))).toBe(255);
    expect(Math.max(...bubble.waveform.slice(36))).toBeLessThan(5);
  });

  test('cuts a long recording where nobody speaks', async () => {
    const { folder, ffmpeg } = await createAudioBed();
    const input = record(
      folder,
      'talk.wav',
      [...tone(2), ...quiet(1), ...tone(2)],
      ['-filter_complex', '[0:a][1:a][2:a]concat=n=3:v=0:a=1'],
    );
    const speech = await ffmpeg.toSpeech(input, { folder, maxMs: HALF_HOUR_MS }, options);
    const portions = toPortions(speech.durationMs, speech.silences, 4_000);
    expect(portions).toHaveLength(2);
    const cutMs = portions[0]?.endMs ?? 0;
    expect(cutMs).toBeGreaterThan(2_000);
    expect(cutMs).toBeLessThan(3_000);
    const [first] = portions;
    if (first === undefined) throw new Error('no portion');
    const path = await ffmpeg.toPortion(speech, first, folder, options);
    expect(Math.abs(probe(path).seconds * 1000 - cutMs)).toBeLessThan(150);
    expect((await readFile(path)).subarray(0, 4).toString()).toBe('OggS');
  });
});
