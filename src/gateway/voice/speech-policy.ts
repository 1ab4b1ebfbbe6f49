/** Whether an answer is spoken, and whether it is written beside that. Pure. */
import type { StopReason } from '../../core/turn.js';
import { type VoiceMode, voiceModes } from '../../core/voice-settings.js';

/** `both`: as text and as a voice message; `voice`: as a voice message, and as text only where that says not all. */
export const speechForms = ['both', 'voice'] as const;
export type SpeechForm = (typeof speechForms)[number];

/** What people chose for a chat. */
export interface VoiceChoice {
  readonly mode?: VoiceMode | undefined;
  readonly form?: SpeechForm | undefined;
  /** The name of a voice. */
  readonly name?: string | undefined;
}

/** What another version wrote and is not known here is as if nobody had chosen. */
export const parseVoiceChoice = (text: string): VoiceChoice => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) return {};
  const { mode, form, name }: { mode?: unknown; form?: unknown; name?: unknown } = parsed;
  return {
    mode: voiceModes.find((one) => one === mode),
    form: speechForms.find((one) => one === form),
    name: typeof name === 'string' ? name : undefined,
  };
};

export interface SpeechWish {
  readonly form: SpeechForm;
  readonly voice?: string;
}

/** Undefined: the answer is only written. `wasSaid`: it answers a recording. */
export const decideSpeech = (
  choice: VoiceChoice,
  usualMode: VoiceMode,
  { wasSaid, isDrawn }: { readonly wasSaid: boolean; readonly isDrawn: boolean },
): SpeechWish | undefined => {
  const mode = choice.mode ?? usualMode;
  if (mode === 'off' || (mode === 'on' && !wasSaid)) return undefined;
  // Where the turn is drawn while it runs, its text stands there already.
  const form = isDrawn ? 'both' : (choice.form ?? 'both');
  return { form, ...(choice.name !== undefined && { voice: choice.name }) };
};

/** Answers that say something of the matter; what went wrong is read. */
export const isSpeakable = (reason: StopReason): boolean =>
  reason === 'end_turn' || reason === 'max_tokens' || reason === 'max_turn_requests';
