/** A sound file as a recogniser gets it: its name's ending tells its type. */
export interface SoundFile {
  readonly path: string;
  readonly fileName: string;
  readonly mimeType: string;
}

/** An engine that turns speech into words. */
export interface Recogniser {
  /** As people know it. */
  readonly name: string;
  /** Types it takes as they are; what else comes is 16 kHz mono WAV. */
  readonly takes: ReadonlySet<string>;
  /** Infinity: it reads files of this host. */
  readonly maxBytes: number;
  /** Rejects with a ToolError whose message follows "because", or with the signal's reason. */
  recognise(
    sound: SoundFile,
    options: { readonly language?: string; readonly folder: string; readonly signal: AbortSignal },
  ): Promise<string>;
}
