/** Settings of speech. */
import * as z from 'zod';
import { voiceModes } from '../core/voice-settings.js';
import { count, httpUrl, words } from './shapes.js';

const engine = (example: string) =>
  z.looseObject({
    base_url: httpUrl.optional(),
    api_key: z.string().optional(),
    model: z
      .string()
      .optional()
      .meta({ examples: [example] }),
  });

const localEngine = (description: string) =>
  z.looseObject({
    command: words.optional().meta({ description }),
    model: z.string().optional(),
  });

const recognitionNames = ['local', 'openai', 'groq'] as const;
const synthesisNames = ['edge', 'openai', 'elevenlabs', 'local'] as const;

export const speechToText = z
  .object({
    provider: z.enum(recognitionNames).optional().meta({
      description:
        'Who listens. Default: groq if its key is set, else openai if its section has a key or an address, else local if it has a command or a model; else nobody.',
    }),
    fallback: z.array(z.enum(recognitionNames)).default([]).meta({
      description: 'Who listens, in this order, when the provider does not answer. Its sender is told.',
    }),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/u, { message: 'expected a language as two letters; for example de' })
      .optional()
      .meta({ description: 'What people speak. Default: the engine finds out.', examples: ['de'] }),
    max_minutes: count(1, 600).default(30).meta({ description: 'Longer recordings are not listened to.' }),
    echo: z.boolean().default(false).meta({ description: 'Senders read what was understood.' }),
    openai: engine('whisper-1').optional(),
    groq: engine('whisper-large-v3-turbo').optional(),
    local: localEngine(
      'A program that prints what it hears. Blanks: {audio} (16 kHz mono WAV), {model}, {grammar}, {language}; an option whose blank has no value is left out.',
    )
      .extend({ grammar: z.string().optional() })
      .optional(),
  })
  .meta({ description: 'Speech to text.' });

export const textToSpeech = z
  .object({
    provider: z.enum(synthesisNames).default('edge').meta({ description: 'Who speaks.' }),
    fallback: z.array(z.enum(synthesisNames)).default([]).meta({
      description: 'Who speaks, in this order, when the provider does not answer. The reader is told.',
    }),
    mode: z.enum(voiceModes).default('off').meta({
      description:
        'Which replies are spoken where nobody chose by /voice: none, those to voice messages, all.',
    }),
    voice: z
      .string()
      .optional()
      .meta({ description: "Default: by the reply's language.", examples: ['en-US-AriaNeural'] }),
    voices: z
      .record(z.string(), z.string())
      .default({})
      .meta({ description: 'Voices by language, as two letters.', examples: [{ de: 'de-DE-ConradNeural' }] }),
    edge: z
      .looseObject({
        endpoint: z
          .url({ protocol: /^wss?$/u, message: 'expected a URL like ws://127.0.0.1:9004' })
          .optional(),
      })
      .optional(),
    openai: engine('gpt-4o-mini-tts').optional(),
    elevenlabs: engine('eleven_multilingual_v2').optional(),
    local: localEngine(
      'A program that speaks. Blanks: {text_file}, {text}, {output} (else it prints the sound), {voice}, {model}. Default: espeak-ng.',
    ).optional(),
  })
  .meta({ description: 'Text to speech.' });

export type SpeechToText = z.output<typeof speechToText>;
export type TextToSpeech = z.output<typeof textToSpeech>;
