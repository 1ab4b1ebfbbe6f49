/**
 * What no permission lifts: wiping a disk, exhausting the host, ending or rewriting the gateway, reading its secrets and
 * settings. It looks at what is about to happen and knows the gateway's own places; it is a net below a person's
 * decision and no sandbox. Answers without I/O.
 */
export interface Floor {
  /** A shell command line. `cwd` is absolute. Gives why it is never run, in a sentence; undefined: it may be asked about. */
  command(line: string, options: { readonly cwd: string }): string | undefined;
  /** A program and its arguments, run without a shell. */
  argv(argv: readonly string[], options: { readonly cwd: string }): string | undefined;
  /** An absolute path that a tool is about to open. Links are to be resolved by whoever asks. */
  path(path: string, access: 'read' | 'write'): string | undefined;
}
