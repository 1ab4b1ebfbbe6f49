/** Keeps texts that are too long for a model, where the model can read them piece by piece. */
export interface SpillPort {
  /** Gives the absolute path of the new file. May reject. */
  keep(text: string, name: string): Promise<string>;
  /** How a model gets at the rest, in a sentence. */
  readonly hint: string;
}
