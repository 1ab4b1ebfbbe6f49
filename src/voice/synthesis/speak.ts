/**
 * Words to one voice message. Place in the flow: outbox* → (here) → adapter.send.
 *
 * 1. A text that is longer than its engine takes is spoken in pieces of whole sentences, and joined.
 * 2. What platforms show as a bubble is OGG with Opus; where it cannot be made, the sound goes as a file, and that is said.
 */
import type { Clock } from '../../core/clock.js';
import { GatewayError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { MediaStore } from '../../core/media.js';
import type { OutboundMediaPart } from '../../core/parts.js';
import type { Spoken } from '../../core/voice.js';
import type { VoiceSettings } from '../../core/voice-settings.js';
import type { Ffmpeg } from '../audio/ffmpeg.js';
import type { Programs } from '../audio/programs.js';
import type { WithScope } from '../audio/scope.js';
import { tryEngines } from '../try-engines.js';
import { withLimit } from '../with-limit.js';
import { guessLanguage } from './guess-language.js';
import { toPieces } from './sentences.js';
import type { Synthesiser } from './synthesiser.js';
import { toVoicePart } from './to-voice.js';

/** For one piece; the slowest engines speak faster than people. */
const PIECE_LIMIT_MS = 60_000;

export interface SpeakDeps {
  readonly synthesisers: readonly Synthesiser[];
  readonly ffmpeg: () => Promise<Ffmpeg>;
  readonly programs: Programs;
  readonly withScope: WithScope;
  readonly media: Pick<MediaStore, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: VoiceSettings['synthesis'];
}

interface SpeakOptions {
  readonly signal: AbortSignal;
  readonly voice?: string;
}

const speakPieces = async (
  engine: Synthesiser,
  text: string,
  { voice: chosen, signal, folder }: SpeakOptions & { readonly folder: string },
  { clock, settings }: SpeakDeps,
): Promise<readonly string[]> => {
  const language = guessLanguage(text);
  const voice = chosen ?? settings.voices[language] ?? settings.voice ?? engine.voiceFor(language);
  const files: string[] = [];
  for (const piece of toPieces(text, language, engine.maxUnits)) {
    const work = (limited: AbortSignal) => engine.speak(piece, { voice, folder, signal: limited });
    files.push(await withLimit(engine.name, { clock, limitMs: PIECE_LIMIT_MS, signal }, work));
  }
  return files;
};

/** A voice belongs to the engine it was chosen of: whoever stands in speaks with its own. */
const withChosen =
  (text: string, options: SpeakOptions & { readonly folder: string }, deps: SpeakDeps) =>
  (engine: Synthesiser): Promise<readonly string[]> => {
    if (engine === deps.synthesisers[0]) return speakPieces(engine, text, options, deps);
    const { voice: _voice, ...rest } = options;
    const { voice: _usual, ...settings } = deps.settings;
    return speakPieces(engine, text, rest, { ...deps, settings: { ...settings, voices: {} } });
  };

/** Rejects only with the signal's reason. `text`: not empty, made for the ear. */
export const speak = async (text: string, options: SpeakOptions, deps: SpeakDeps): Promise<Spoken> => {
  const { synthesisers, withScope, logger } = deps;
  const { signal } = options;
  try {
    return await withScope(async (folder): Promise<Spoken> => {
      const work = withChosen(text, { ...options, folder }, deps);
      const tried = await tryEngines(synthesisers, work, { ...deps, signal });
      if (!tried.ok) return { type: 'failed', reason: tried.reason };
      const made = await toVoicePart(tried.result, folder, deps, { signal });
      const remarks = made.problem === undefined ? tried.remarks : [...tried.remarks, made.problem];
      const part: OutboundMediaPart = made.part;
      return { type: 'speech', part, remarks };
    });
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ error }, 'text not spoken');
    return {
      type: 'failed',
      reason: error instanceof GatewayError ? error.message : 'the sound cannot be made',
    };
  }
};
