/** Speech by a service that speaks OpenAI's speech API. */

import { ToolError } from '../../core/errors.js';
import type { RemoteEngine } from '../../core/voice-settings.js';
import { unreachable } from '../engine-error.js';
import { createClient, toEngineError } from '../openai-client.js';
import { writeSound } from './sound-file.js';
import type { Synthesiser } from './synthesiser.js';

/** The service's own limit. */
const MAX_UNITS = 4_096;
const voices = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
];

export const createOpenAiSynthesiser = (engine: RemoteEngine): Synthesiser => {
  const name = 'openai';
  const client = createClient(engine, 'https://api.openai.com/v1');
  return {
    name,
    maxUnits: MAX_UNITS,
    // They speak every language.
    voiceFor: () => 'alloy',
    speak: async (text, { voice, folder, signal }) => {
      const model = engine.model ?? 'gpt-4o-mini-tts';
      // Asked for as platforms want it, so that it is a voice message also where no ffmpeg is.
      const request = { model, voice, input: text, response_format: 'opus' } as const;
      let answer: Response;
      try {
        answer = await client.audio.speech.create(request, { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw toEngineError(name, error);
      }
      const body = answer.body ?? [];
      try {
        return await writeSound(name, body, { folder, extension: '.ogg' });
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof ToolError ? error : unreachable(name, error);
      }
    },
    voices: async () => voices.map((voice) => ({ name: voice })),
  };
};
