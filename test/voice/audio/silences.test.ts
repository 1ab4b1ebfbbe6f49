import { describe, expect, test } from 'vitest';
import { isSilent, parseSilences, toPortions } from '../../../src/voice/audio/silences.js';
import { toWaveform } from '../../../src/voice/audio/waveform.js';

describe('silences', () => {
  test('are read from what ffmpeg prints, the last one until the end', () => {
    const printed =
      'frame:1 pts:0\nlavfi.silence_start=1.5\nframe:2\nlavfi.silence_end=2.25\nlavfi.silence_duration=0.75\nlavfi.silence_start=4\n';
    expect(parseSilences(printed, 5_000)).toEqual([
      { startMs: 1_500, endMs: 2_250 },
      { startMs: 4_000, endMs: 5_000 },
    ]);
  });

  test('leave speech unless they are nearly all of it', () => {
    expect(isSilent([{ startMs: 0, endMs: 4_900 }], 5_000)).toBe(true);
    expect(isSilent([{ startMs: 0, endMs: 4_500 }], 5_000)).toBe(false);
    expect(isSilent([], 100)).toBe(true);
  });

  test('end portions, and a limit does where nobody pauses', () => {
    const silences = [
      { startMs: 900, endMs: 1_100 },
      { startMs: 1_700, endMs: 1_900 },
    ];
    expect(toPortions(4_000, silences, 2_000)).toEqual([
      { startMs: 0, endMs: 1_800 },
      { startMs: 1_800, endMs: 3_800 },
      { startMs: 3_800, endMs: 4_000 },
    ]);
  });
});

describe('toWaveform', () => {
  test('has 64 values whatever the length', () => {
    for (const samples of [0, 1, 63, 64, 1_000])
      expect(toWaveform(new Uint8Array(samples * 2))).toHaveLength(64);
  });

  test('scales to the loudest, up to the top that a platform wants', () => {
    const pcm = Buffer.alloc(256);
    for (let index = 0; index < 128; index += 1) pcm.writeInt16LE(index < 64 ? 100 : 200, index * 2);
    expect(Math.max(...toWaveform(pcm, 31))).toBe(31);
    expect(toWaveform(pcm)[0]).toBe(128);
  });
});
