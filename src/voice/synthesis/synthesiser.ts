import type { VoiceInfo } from '../../core/voice.js';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** An engine that speaks. */
export interface Synthesiser {
  /** As people know it. */
  readonly name: string;
  /** Most of a text that it takes at once, in UTF-16 units. */
  readonly maxUnits: number;
  /** Its usual voice for a language of two letters. */
  voiceFor(language: string): string;
  /**
   * Writes the spoken text to a new file below the folder and gives its path. Rejects with a ToolError whose message
   * follows "because", also for an answer without sound; or with the signal's reason.
   */
  speak(
    text: string,
    options: CallOptions & { readonly voice: string; readonly folder: string },
  ): Promise<string>;
  /** Rejects like `speak`. */
  voices(options: CallOptions): Promise<readonly VoiceInfo[]>;
}
