/** Keeps texts that are too long for a model, where the model can read them piece by piece. */
export interface SpillPort {
  /** Gives the absolute path of the new file. May reject. */
  keep(text: string, name: string): Promise<string>;
  /** By the name of a tool: how a model gets at the rest with it, in a sentence. Told where the session has the tool. */
  readonly hints: Readonly<Record<string, string>>;
}
