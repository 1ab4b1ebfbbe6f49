/** Speech as the gateway and the tools see it. */
import type { OutboundMediaPart, StoredFile } from './parts.js';
import type { VoiceMode } from './voice-settings.js';

/** What came of listening to a recording. Sentences are for people, without a full stop at their end. */
export type Heard =
  | {
      readonly type: 'words';
      readonly text: string;
      /** What its sender is to know of how it was understood, e.g. that another engine stood in; sentences. */
      readonly remarks: readonly string[];
    }
  /** Nothing was said, or nothing that could be made out. */
  | { readonly type: 'silence' }
  | { readonly type: 'failed'; readonly reason: string };

/** A text made for the ear. */
export interface EarText {
  /** Plain words; empty: there is nothing that can be said aloud. */
  readonly text: string;
  /** False: it is only a short account of what is written. */
  readonly isWhole: boolean;
}

export type Spoken =
  | {
      readonly type: 'speech';
      /** Spooled; `voice`, or `audio` where it could not be made a voice message. */
      readonly part: OutboundMediaPart;
      readonly remarks: readonly string[];
    }
  | { readonly type: 'failed'; readonly reason: string };

export interface VoiceInfo {
  readonly name: string;
  /** Two letters, perhaps with a region: `de`, `pt-BR`. Absent: any. */
  readonly language?: string;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/** Nothing here rejects but with the signal's reason. */
export interface VoiceService {
  /** Whether recordings are listened to at all. */
  readonly listens: boolean;
  /** Whether senders read what was understood. */
  readonly isEchoed: boolean;
  /** Longer recordings are not listened to. */
  readonly maxMs: number;
  /** Which replies are spoken in a chat where nobody chose. */
  readonly mode: VoiceMode;
  hear(recording: StoredFile, options: CallOptions): Promise<Heard>;
  /** What of a Markdown text can be said aloud. */
  prepare(markdown: string): Promise<EarText>;
  /** `voice`: one of `voices`; absent: by the settings and the text's language. */
  speak(ear: string, options: CallOptions & { readonly voice?: string }): Promise<Spoken>;
  /** A spooled sound file as a voice message, or as it is where that cannot be; `problem` then says why. */
  toVoice(
    file: StoredFile,
    options: CallOptions,
  ): Promise<{ readonly part: OutboundMediaPart; readonly problem?: string }>;
  /** The voices of whoever speaks, as far as they can be asked for now. */
  voices(options: CallOptions): Promise<readonly VoiceInfo[]>;
  /** What needs an operator, e.g. a program that is not installed; sentences. */
  problems(): Promise<readonly string[]>;
}
