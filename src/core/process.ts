export interface ProcessRequest {
  /** Absolute path of the program; no shell is between. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Added to an environment that names the usual program folders and nothing else, so no secret gets in by itself. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Then the whole group is ended. */
  readonly timeoutMs: number;
  /** Of standard output; more ends the whole group. */
  readonly maxOutputBytes: number;
}

/** What is known of a process that is over. */
export interface ProcessResult {
  /** `killed`: by a signal that did not come from us. */
  readonly ending: 'exited' | 'killed' | 'timed-out' | 'too-much-output';
  /** Only of one that exited by itself. */
  readonly exitCode?: number;
  /** At most `maxOutputBytes`. */
  readonly stdout: Uint8Array;
  /** Its first 16 KiB. */
  readonly stderr: Uint8Array;
}

export interface ProcessPort {
  /**
   * Runs a program in a process group of its own and resolves when nothing of the group is left. Standard input is
   * empty. Rejects with the signal's reason once the group is ended, or with a ToolError if it cannot be started.
   */
  run(request: ProcessRequest, options: { readonly signal: AbortSignal }): Promise<ProcessResult>;
}
