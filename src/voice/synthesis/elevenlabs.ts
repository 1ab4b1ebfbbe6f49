/** Speech by ElevenLabs, over its HTTP API. */

import * as z from 'zod';
import { ToolError } from '../../core/errors.js';
import type { VoiceInfo } from '../../core/voice.js';
import type { RemoteEngine } from '../../core/voice-settings.js';
import { engineError, statusError, unreachable } from '../engine-error.js';
import { writeSound } from './sound-file.js';
import type { Synthesiser } from './synthesiser.js';

const NAME = 'elevenlabs';
/** Of the models with the smallest limit. */
const MAX_UNITS = 5_000;
/** A voice that every account has. */
const USUAL_VOICE = '21m00Tcm4TlvDq8ikWAM';
const MODEL = 'eleven_multilingual_v2';
const USUAL_URL = 'https://api.elevenlabs.io/v1';

const voiceList = z.object({ voices: z.array(z.object({ voice_id: z.string(), name: z.string() })) });

/** The address with its version, whether or not it was written with it. */
const rootOf = (baseUrl: string): string => {
  const root = baseUrl.replace(/\/+$/u, '');
  return /\/v\d+$/u.test(root) ? root : `${root}/v1`;
};

type Call = (path: string, init: RequestInit & { readonly signal: AbortSignal }) => Promise<Response>;

const createCall = ({ baseUrl = USUAL_URL, apiKey }: RemoteEngine): Call => {
  const root = rootOf(baseUrl);
  const headers = {
    ...(apiKey !== undefined && { 'xi-api-key': apiKey }),
    'content-type': 'application/json',
  };
  return async (path, init) => {
    let answer: Response;
    try {
      answer = await fetch(`${root}${path}`, { ...init, headers });
    } catch (error) {
      init.signal.throwIfAborted();
      throw unreachable(NAME, error);
    }
    if (answer.ok) return answer;
    const detail = (await answer.text().catch(() => '')).slice(0, 500);
    throw statusError(NAME, answer.status, { detail, retryAfter: answer.headers.get('retry-after') });
  };
};

type AccountVoices = z.output<typeof voiceList>['voices'];

const fetchVoices = async (call: Call, signal: AbortSignal): Promise<AccountVoices> => {
  const answer = await call('/voices', { signal });
  const parsed = voiceList.safeParse(await answer.json().catch(() => undefined));
  if (!parsed.success) throw engineError(`${NAME} answered with no list of voices`);
  return parsed.data.voices;
};

export const createElevenLabsSynthesiser = (engine: RemoteEngine): Synthesiser => {
  const call = createCall(engine);
  let known: AccountVoices | undefined;
  const list = async (signal: AbortSignal): Promise<readonly VoiceInfo[]> => {
    known = await fetchVoices(call, signal);
    return known.map(({ name }) => ({ name }));
  };
  /** People choose voices by name; the service knows them by id. */
  const idOf = async (voice: string, signal: AbortSignal): Promise<string> => {
    if (/^[A-Za-z0-9]{20}$/u.test(voice)) return voice;
    if (known === undefined) await list(signal);
    const found = known?.find(({ name }) => name.toLowerCase() === voice.toLowerCase());
    if (found === undefined) throw engineError(`${NAME} has no voice “${voice}”`);
    return found.voice_id;
  };
  return {
    name: NAME,
    maxUnits: MAX_UNITS,
    voiceFor: () => USUAL_VOICE,
    speak: async (text, { voice, folder, signal }) => {
      const path = `/text-to-speech/${await idOf(voice, signal)}?output_format=mp3_44100_128`;
      const body = JSON.stringify({ text, model_id: engine.model ?? MODEL });
      const answer = await call(path, { method: 'POST', body, signal });
      try {
        return await writeSound(NAME, answer.body ?? [], { folder, extension: '.mp3' });
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof ToolError ? error : unreachable(NAME, error);
      }
    },
    voices: ({ signal }) => list(signal),
  };
};
