import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { emulatedKey, type VoiceEmulator, type VoiceFault } from '../../emulators/voice/server.js';
import { createVoiceBed, hasPrograms, neverAborts, probe, record, tone, until } from '../voice-bed.js';

const options = { signal: neverAborts };
const synthesis = { mode: 'off' as const, voices: {} };

const engines = {
  edge: ({ edgeUrl }: VoiceEmulator) => ({ type: 'edge', endpoint: edgeUrl }) as const,
  openai: ({ baseUrl }: VoiceEmulator) => ({ type: 'openai', baseUrl, apiKey: emulatedKey }) as const,
  elevenlabs: ({ baseUrl }: VoiceEmulator) => ({ type: 'elevenlabs', baseUrl, apiKey: emulatedKey }) as const,
};
const names = ['edge', 'openai', 'elevenlabs'] as const;

const bedOf = async (name: (typeof names)[number]) => {
  const bed = await createVoiceBed((emulator) => ({
    synthesis: { ...synthesis, engines: [engines[name](emulator)] },
  }));
  bed.emulator.sound = await readFile(record(bed.folder, 'answer.mp3', tone(1)));
  return bed;
};

describe.skipIf(!hasPrograms)('speech', () => {
  test.each(names)('VO-06 of %s has the text in full, whatever XML makes of it', async (name) => {
    const { voice, emulator, left } = await bedOf(name);
    const spoken = await voice.speak('Tom & Jerry < 3 > 2 "q"', options);
    expect(emulator.requests.map(({ fields }) => fields['input'])).toEqual(['Tom & Jerry < 3 > 2 "q"']);
    if (spoken.type !== 'speech') throw new Error(spoken.reason);
    expect(spoken.part.kind).toBe('voice');
    expect(probe(spoken.part.file.path)).toMatchObject({ codec: 'opus', channels: 1, container: 'ogg' });
    expect(Math.abs((spoken.part.file.durationMs ?? 0) - 1_000)).toBeLessThan(120);
    expect(Buffer.from(spoken.part.file.waveform ?? '', 'base64')).toHaveLength(64);
    expect(await left()).toEqual([]);
  });

  const faults: readonly (readonly [string, VoiceFault])[] = [
    ['an early close', 'early-close'],
    ['zero bytes', 'zero-bytes'],
    ['413', { status: 413 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
  ];
  test.each(names.flatMap((name) => faults.map(([title, fault]) => [name, title, fault] as const)))(
    'of %s survives %s, and fails with a reason if it comes again',
    async (name, _, fault) => {
      const bed = await bedOf(name);
      bed.emulator.faults.push(fault, fault);
      const speaking = bed.voice.speak('Hello.', options);
      let isOver = false;
      void speaking.finally(() => {
        isOver = true;
      });
      await until(() => {
        if (bed.clock.sleeping.includes(1_000)) void bed.clock.advance(1_000);
        return isOver;
      });
      expect(await speaking).toMatchObject({ type: 'failed', reason: expect.stringContaining(name) });
      expect(await bed.left()).toEqual([]);
      bed.emulator.faults.length = 0;
      expect(await bed.voice.speak('Hello again.', options)).toMatchObject({ type: 'speech' });
    },
  );

  test.each(names)('of %s that never comes is given up after its limit', async (name) => {
    const bed = await bedOf(name);
    bed.emulator.faults.push('hang');
    const speaking = bed.voice.speak('Hello.', options);
    await until(() => bed.emulator.requests.length === 1);
    await bed.clock.advance(60_000);
    expect(await speaking).toEqual({ type: 'failed', reason: `${name} did not answer within 60 s` });
    expect(await bed.left()).toEqual([]);
  });

  test('VO-08 that is aborted leaves nothing', async () => {
    const bed = await bedOf('edge');
    bed.emulator.faults.push('hang');
    const stop = new AbortController();
    const speaking = bed.voice.speak('Hello.', { signal: stop.signal });
    await until(() => bed.emulator.requests.length === 1);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(speaking).rejects.toBe(reason);
    expect(await bed.left()).toEqual([]);
  });

  test('in the voice of its language, of the settings, or the one that was chosen', async () => {
    const bed = await createVoiceBed((emulator) => ({
      synthesis: { ...synthesis, voices: { fr: 'fr-FR-HenriNeural' }, engines: [engines.edge(emulator)] },
    }));
    bed.emulator.sound = await readFile(record(bed.folder, 'answer.mp3', tone(1)));
    await bed.voice.speak('Das ist nicht der Anfang und auch nicht das Ende.', options);
    await bed.voice.speak('Le temps est beau et il ne va pas pleuvoir.', options);
    await bed.voice.speak('Hello.', { ...options, voice: 'en-GB-RyanNeural' });
    expect(bed.emulator.requests.map(({ fields }) => fields['voice'])).toEqual([
      'de-DE-KatjaNeural',
      'fr-FR-HenriNeural',
      'en-GB-RyanNeural',
    ]);
  });

  test('of a long text comes in pieces of whole sentences, joined into one message', async () => {
    const bed = await bedOf('edge');
    const text = Array.from({ length: 150 }, (_, index) => `This is sentence number ${index} of many.`).join(
      ' ',
    );
    const spoken = await bed.voice.speak(text, options);
    expect(bed.emulator.requests).toHaveLength(2);
    expect(bed.emulator.requests.map(({ fields }) => fields['input']).join(' ')).toBe(text);
    if (spoken.type !== 'speech') throw new Error(spoken.reason);
    expect(Math.abs((spoken.part.file.durationMs ?? 0) - 2_000)).toBeLessThan(200);
  });

  test('names who stood in for whom, in a voice of its own', async () => {
    const bed = await createVoiceBed((emulator) => ({
      synthesis: {
        ...synthesis,
        engines: [{ ...engines.openai(emulator), apiKey: 'wrong' }, { type: 'local' }],
      },
    }));
    const spoken = await bed.voice.speak('Hello there.', { ...options, voice: 'nova' });
    expect(spoken).toMatchObject({
      type: 'speech',
      part: { kind: 'voice' },
      remarks: ['openai refuses the key (401): espeak-ng stood in.'],
    });
  });

  test.each([
    ['en', 'Hello there, this is a test.'],
    ['zh', '你好，今天天气很好。'],
    ['an option', '-w /etc/passwd'],
  ])('of the local engine says %s', async (_, text) => {
    const bed = await createVoiceBed(() => ({}));
    expect(await bed.voice.speak(text, options)).toMatchObject({ type: 'speech', part: { kind: 'voice' } });
    expect(await bed.left()).toEqual([]);
  });

  test('VO-03 goes as a sound file without ffmpeg, and says so; OGG/Opus is a voice message even then', async () => {
    const bed = await createVoiceBed((emulator) => ({
      synthesis: { ...synthesis, engines: [engines.openai(emulator)] },
      programFolders: [],
    }));
    bed.emulator.sound = await readFile(record(bed.folder, 'answer.mp3', tone(1)));
    expect(await bed.voice.speak('Hello.', options)).toMatchObject({
      part: { kind: 'audio', file: { mimeType: 'audio/mpeg' } },
      remarks: [expect.stringContaining('`apt-get install ffmpeg`')],
    });
    bed.emulator.sound = await readFile(
      record(bed.folder, 'a.ogg', tone(1), ['-c:a', 'libopus', '-ac', '1']),
    );
    const spoken = await bed.voice.speak('Hello.', options);
    expect(spoken).toMatchObject({ part: { kind: 'voice' }, remarks: [] });
    if (spoken.type === 'speech')
      expect(Math.abs((spoken.part.file.durationMs ?? 0) - 1_000)).toBeLessThan(50);
  });

  test('has voices to choose from', async () => {
    expect(await (await bedOf('elevenlabs')).voice.voices(options)).toEqual([
      { name: 'Rachel' },
      { name: 'Domi' },
    ]);
    expect(await (await createVoiceBed(() => ({}))).voice.voices(options)).toContainEqual({
      name: 'de',
      language: 'de',
    });
  });
});
