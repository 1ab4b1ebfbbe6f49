/** Settings of speech. The gateway does not speak yet: they are checked and kept. */
import * as z from 'zod';
import { httpUrl, words } from './shapes.js';

const engine = (example: string) =>
  z.looseObject({
    base_url: httpUrl.optional(),
    api_key: z.string().optional(),
    model: z
      .string()
      .optional()
      .meta({ examples: [example] }),
  });

const localEngine = z.looseObject({
  command: words.optional(),
  model: z.string().optional(),
});

export const speechToText = z
  .object({
    provider: z.enum(['local', 'openai', 'groq']).optional(),
    openai: engine('whisper-1').optional(),
    groq: engine('whisper-large-v3-turbo').optional(),
    local: localEngine.extend({ grammar: z.string().optional() }).optional(),
  })
  .meta({ description: 'Speech to text.' });

export const textToSpeech = z
  .object({
    provider: z.enum(['edge', 'openai', 'elevenlabs', 'local']).optional(),
    voice: z.string().optional(),
    edge: z
      .looseObject({
        endpoint: z
          .url({ protocol: /^wss?$/u, message: 'expected a URL like ws://127.0.0.1:9004' })
          .optional(),
      })
      .optional(),
    openai: engine('gpt-4o-mini-tts').optional(),
    elevenlabs: engine('eleven_multilingual_v2').optional(),
    local: localEngine.optional(),
  })
  .meta({ description: 'Text to speech.' });
