import { expect, test } from 'vitest';
import { textToSpeech } from '../../src/tools/text-to-speech.js';
import { createSpeechFiles } from '../../src/voice/speech-files.js';
import { ScriptedVoice } from '../fakes/scripted-voice.js';
import { neverAborts } from '../voice/voice-bed.js';

const unused = { keep: () => Promise.reject(new Error('nothing is kept')), release: async () => undefined };

test('a text without a sound is refused, and an engine that fails is told with its reason', async () => {
  const voice = new ScriptedVoice();
  const files = createSpeechFiles(voice, unused);
  await expect(files.say('**', { signal: neverAborts })).rejects.toThrow(
    'nothing in the text that can be said',
  );
  voice.outcomes.push({ type: 'failed', reason: 'edge is out of order (500)' });
  await expect(files.say('hello', { signal: neverAborts })).rejects.toThrow('edge is out of order (500)');
});

test('its summary is one line', () => {
  expect(textToSpeech.summarise?.({ text: 'a'.repeat(100) })?.length).toBeLessThanOrEqual(80);
});
