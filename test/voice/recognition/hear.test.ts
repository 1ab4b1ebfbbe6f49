import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emulatedKey, type VoiceEmulator } from '../../emulators/voice/server.js';
import {
  createVoiceBed,
  hasPrograms,
  neverAborts,
  quiet,
  record,
  say,
  sparseWav,
  tone,
  until,
} from '../voice-bed.js';

const options = { signal: neverAborts };
const base = { maxMs: 30 * 60_000, isEchoed: false };

const remote =
  (type: 'openai' | 'groq', more: object = {}) =>
  ({ baseUrl }: VoiceEmulator) => ({
    recognition: { ...base, engines: [{ type, baseUrl, apiKey: emulatedKey }], ...more },
  });

describe.skipIf(!hasPrograms)('a recording', () => {
  test.each([
    ['v.oga', 'audio/ogg', ['-c:a', 'libopus', '-f', 'ogg'], 'speech.ogg'],
    ['v.m4a', 'audio/mp4', ['-c:a', 'aac'], 'speech.m4a'],
    ['v.mp4', 'video/mp4', ['-c:a', 'aac'], 'speech.mp4'],
    ['v.webm', 'video/webm', ['-c:a', 'libopus'], 'speech.webm'],
    ['v.mp3', 'audio/mpeg', [], 'speech.mp3'],
    ['bare', 'audio/ogg', ['-c:a', 'libopus', '-f', 'ogg'], 'speech.ogg'],
    ['v.aac', 'audio/aac', [], 'speech.wav'],
    ['v.mka', 'video/x-matroska', ['-c:a', 'aac'], 'speech.wav'],
  ])('VO-01 %s reaches the service as %4$s', async (name, mimeType, args, sentAs) => {
    const { voice, emulator, folder, file, left } = await createVoiceBed(remote('openai'));
    const path = record(folder, name, tone(1), args);
    const heard = await voice.hear(await file(path, mimeType), options);
    expect(heard).toEqual({ type: 'words', text: 'hello', remarks: [] });
    expect(emulator.requests.map(({ fileName }) => fileName)).toEqual([sentAs]);
    expect(await left()).toEqual([]);
  });

  test('VO-01 that is text under another name is told as such and sent to nobody', async () => {
    const { voice, emulator, folder, file } = await createVoiceBed(remote('openai'));
    const path = join(folder, 'v.ogg');
    await writeFile(path, 'Dear diary');
    expect(await voice.hear(await file(path, 'text/plain'), options)).toEqual({
      type: 'failed',
      reason: 'it is no recording that can be played',
    });
    expect(emulator.requests).toEqual([]);
  });

  test.each([
    ['of 0.1 s', 0.1],
    ['of 5 s', 5],
  ])('VO-02 of silence %s is sent to nobody', async (_, seconds) => {
    const { voice, emulator, folder, file } = await createVoiceBed(remote('openai'));
    const path = record(folder, 'v.ogg', quiet(seconds), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(path, 'audio/ogg'), options)).toEqual({ type: 'silence' });
    expect(emulator.requests).toEqual([]);
  });

  test.each(['', '  ', '.', 'Thank you for watching!'])(
    'VO-02 of which a service makes %j is silence',
    async (answer) => {
      const { voice, emulator, folder, file } = await createVoiceBed(remote('groq'));
      emulator.transcripts.push(answer);
      const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
      expect(await voice.hear(await file(path, 'audio/ogg'), options)).toEqual({ type: 'silence' });
    },
  );

  test('carries language and model to the service', async () => {
    const { voice, emulator, folder, file } = await createVoiceBed(remote('groq', { language: 'de' }));
    const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    await voice.hear(await file(path, 'audio/ogg'), options);
    expect(emulator.requests[0]?.fields).toMatchObject({ language: 'de', model: 'whisper-large-v3-turbo' });
  });

  test('VO-04 is tried once more after a fault, and only once', async () => {
    const bed = await createVoiceBed(remote('openai'));
    const path = record(bed.folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    bed.emulator.faults.push({ status: 500 });
    const first = bed.voice.hear(await bed.file(path, 'audio/ogg'), options);
    await until(() => bed.clock.sleeping.includes(1_000));
    await bed.clock.advance(1_000);
    expect(await first).toMatchObject({ type: 'words' });
    bed.emulator.faults.push({ status: 500 }, { status: 500 });
    const second = bed.voice.hear(await bed.file(path, 'audio/ogg'), options);
    await until(() => bed.clock.sleeping.includes(1_000));
    await bed.clock.advance(1_000);
    expect(await second).toEqual({ type: 'failed', reason: 'openai is out of order (500)' });
    expect(bed.emulator.requests).toHaveLength(4);
  });

  test.each([
    ['401', { status: 401 }, 'openai refuses the key (401)'],
    ['429 with a long wait', { status: 429, retryAfter: '60' }, 'openai is asked too often right now'],
  ] as const)('VO-04 answered with %s fails with its reason', async (_, fault, reason) => {
    const { voice, emulator, folder, file, left } = await createVoiceBed(remote('openai'));
    emulator.faults.push(fault);
    const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(path, 'audio/ogg'), options)).toEqual({ type: 'failed', reason });
    expect(await left()).toEqual([]);
  });

  test('VO-04 that a service never answers fails after its limit', async () => {
    const bed = await createVoiceBed(remote('openai'));
    bed.emulator.faults.push('hang');
    const path = record(bed.folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    const hearing = bed.voice.hear(await bed.file(path, 'audio/ogg'), options);
    await until(() => bed.emulator.requests.length === 1);
    await bed.clock.advance(40_000);
    expect(await hearing).toEqual({ type: 'failed', reason: 'openai did not answer within 32 s' });
    expect(await bed.left()).toEqual([]);
  });

  test('too large for the service goes in smaller portions', async () => {
    const { voice, emulator, folder, file } = await createVoiceBed(remote('openai'));
    emulator.faults.push({ status: 413 });
    const path = record(folder, 'v.wav', tone(2));
    expect(await voice.hear(await file(path, 'audio/wav'), options)).toMatchObject({ type: 'words' });
    expect(emulator.requests.map(({ fileName }) => fileName)).toEqual(['speech.wav', 'portion-0.ogg']);
  });

  test('of two hours is told to be too long, and sent to nobody', async () => {
    const { voice, emulator, folder, file, left } = await createVoiceBed(remote('openai'));
    const path = sparseWav(folder, 'two-hours.wav', { seconds: 7_200, rate: 8_000, channels: 1 });
    expect(await voice.hear(await file(path, 'audio/wav'), options)).toEqual({
      type: 'failed',
      reason: 'it is longer than 30 minutes',
    });
    expect(emulator.requests).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test('over the 25 MB of a service is made smaller before it is sent', async () => {
    const { voice, emulator, folder, file, left } = await createVoiceBed(remote('openai'));
    const path = sparseWav(folder, 'large.wav', { seconds: 140, rate: 48_000, channels: 2 });
    const large = await file(path, 'audio/wav');
    expect(large.sizeBytes).toBeGreaterThan(25 * 1_048_576);
    expect(await voice.hear(large, options)).toEqual({ type: 'words', text: 'hello', remarks: [] });
    expect(emulator.requests.map(({ fileName }) => fileName)).toEqual(['speech.wav']);
    expect(await left()).toEqual([]);
  });

  test('VO-08 after another, twenty at once: all are heard and nothing is left', async () => {
    const { voice, emulator, folder, file, left } = await createVoiceBed(remote('openai'));
    const note = await file(record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']), 'audio/ogg');
    const heard = await Promise.all(Array.from({ length: 20 }, () => voice.hear(note, options)));
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['words']));
    expect(emulator.requests).toHaveLength(20);
    expect(await left()).toEqual([]);
  });

  test('names who stood in for whom, and why', async () => {
    const { voice, emulator, folder, file } = await createVoiceBed(({ baseUrl }) => ({
      recognition: {
        ...base,
        engines: [
          { type: 'groq', baseUrl, apiKey: 'wrong' },
          { type: 'openai', baseUrl, apiKey: emulatedKey },
        ],
      },
    }));
    const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(path, 'audio/ogg'), options)).toEqual({
      type: 'words',
      text: 'hello',
      remarks: ['groq refuses the key (401): openai stood in.'],
    });
    expect(emulator.requests).toHaveLength(2);
  });

  test('of which nobody knows what to do says what to set', async () => {
    const { voice, folder, file } = await createVoiceBed(() => ({}));
    const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(path, 'audio/ogg'), options)).toMatchObject({
      reason: expect.stringContaining('`stt.provider`'),
    });
  });

  test('is understood by a program of this host with a grammar', async () => {
    const bed = await createVoiceBed(() => ({}));
    const grammar = join(bed.folder, 'phrases.gram');
    await writeFile(
      grammar,
      '#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = what time is it | turn on the light | hello world;\n',
    );
    const local = await createVoiceBed(() => ({
      recognition: { ...base, engines: [{ type: 'local', command: ['pocketsphinx_continuous'], grammar }] },
    }));
    const path = record(
      bed.folder,
      'v.ogg',
      ['-i', say(bed.folder, 's.wav', 'turn on the light')],
      ['-c:a', 'libopus'],
    );
    expect(await local.voice.hear(await bed.file(path, 'audio/ogg'), options)).toEqual({
      type: 'words',
      text: 'turn on the light',
      remarks: [],
    });
  });

  test('of whisper.cpp whose package is not there says what installs it', async () => {
    const { voice, folder, file } = await createVoiceBed(() => ({
      recognition: { ...base, engines: [{ type: 'local', model: '/models/base.bin' }] },
    }));
    const path = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(path, 'audio/ogg'), options)).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('`npm install -g @fugood/whisper.node`'),
    });
  });

  test('VO-03 that needs no change is heard without ffmpeg, and another is told what is missing', async () => {
    const { voice, folder, file } = await createVoiceBed(({ baseUrl }) => ({
      recognition: { ...base, engines: [{ type: 'openai', baseUrl, apiKey: emulatedKey }] },
      programFolders: [],
    }));
    const ogg = record(folder, 'v.ogg', tone(1), ['-c:a', 'libopus']);
    expect(await voice.hear(await file(ogg, 'audio/ogg'), options)).toMatchObject({ text: 'hello' });
    expect(await voice.hear(await file(ogg, 'audio/amr'), options)).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('`apt-get install ffmpeg`'),
    });
    expect(await voice.problems()).toEqual([expect.stringContaining('`apt-get install ffmpeg`')]);
  });
});
