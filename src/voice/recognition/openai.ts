/** Recognition by a service that speaks OpenAI's transcription API: OpenAI, Groq, a server of one's own. */
import { openAsBlob } from 'node:fs';
import type { RemoteEngine } from '../../core/voice-settings.js';
import { engineError } from '../engine-error.js';
import { createClient, toEngineError } from '../openai-client.js';
import type { Recogniser } from './recogniser.js';

/** What these services document, by its usual types. */
const takes: ReadonlySet<string> = new Set([
  'audio/ogg',
  'audio/mpeg',
  'audio/mp4',
  'video/mp4',
  'video/webm',
  'audio/wav',
  'audio/flac',
]);
const MAX_BYTES = 25 * 1_000_000;

const usual = {
  openai: { url: 'https://api.openai.com/v1', model: 'whisper-1' },
  groq: { url: 'https://api.groq.com/openai/v1', model: 'whisper-large-v3-turbo' },
} as const;

export const createOpenAiRecogniser = (
  engine: RemoteEngine & { readonly type: 'openai' | 'groq' },
): Recogniser => {
  const { url, model } = usual[engine.type];
  const name = engine.type;
  const client = createClient(engine, url);
  return {
    name,
    takes,
    maxBytes: MAX_BYTES,
    recognise: async ({ path, fileName, mimeType }, { language, signal }) => {
      const file = new File([await openAsBlob(path, { type: mimeType })], fileName, { type: mimeType });
      const request = {
        file,
        model: engine.model ?? model,
        response_format: 'json',
        ...(language !== undefined && { language }),
      } as const;
      let answer: unknown;
      try {
        answer = await client.audio.transcriptions.create(request, { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw toEngineError(name, error);
      }
      const text =
        typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : undefined;
      if (typeof text !== 'string') throw engineError(`${name} answered with no transcript`);
      return text;
    },
  };
};
