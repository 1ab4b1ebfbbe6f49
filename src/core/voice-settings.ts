/** Who recognises speech and who speaks, as the settings say it. */

export interface RemoteEngine {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Absent: the engine's usual one. */
  readonly model?: string;
}

export interface CommandEngine {
  /** Program and arguments; absent: the engine's usual one. */
  readonly command?: readonly string[];
  readonly model?: string;
}

export type RecognitionEngine =
  | (RemoteEngine & { readonly type: 'openai' | 'groq' })
  | (CommandEngine & { readonly type: 'local'; readonly grammar?: string });

export type SynthesisEngine =
  | { readonly type: 'edge'; readonly endpoint?: string }
  | (RemoteEngine & { readonly type: 'openai' | 'elevenlabs' })
  | (CommandEngine & { readonly type: 'local' });

/** What is said of replies in a chat where nobody chose. */
export const voiceModes = ['off', 'on', 'always'] as const;
export type VoiceMode = (typeof voiceModes)[number];

export interface VoiceSettings {
  readonly recognition: {
    /** The first that answers; empty: recordings are files. */
    readonly engines: readonly RecognitionEngine[];
    /** As two letters; absent: the engine finds out. */
    readonly language?: string;
    readonly maxMs: number;
    /** Whether senders read what was understood. */
    readonly isEchoed: boolean;
  };
  readonly synthesis: {
    /** The first that answers; never empty. */
    readonly engines: readonly SynthesisEngine[];
    /** `on`: replies to recordings are spoken. */
    readonly mode: VoiceMode;
    /** Absent: by the reply's language. */
    readonly voice?: string;
    /** By language, as two letters. */
    readonly voices: Readonly<Record<string, string>>;
  };
  /** Folders with programs, as in PATH. */
  readonly programFolders: readonly string[];
}
