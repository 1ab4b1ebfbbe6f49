/** One part of the soak: what it is called, and a run that ends in a report. */
export interface SoakPart {
  readonly name: string;
  run(context: SoakContext): Promise<SoakReport>;
}

export interface SoakContext {
  readonly seed: number;
  /** How much of the usual amount is done: 1 is all of it. */
  readonly share: number;
  readonly distMain: string;
  readonly telegramUrl: string;
  readonly discordUrl: string;
  readonly openaiUrl: string;
  /** For a person who watches. */
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** What was done and seen, in a sentence. */
  readonly summary: string;
  /** What was promised and not kept. */
  readonly problems: readonly string[];
}
