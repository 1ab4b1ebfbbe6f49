import type { Environment } from '../config/index.js';
import type { LineEditor, LineEditorEvents } from './line-editor.js';

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** The process as commands see it: the only way they reach anything outside. */
export interface Edge {
  readonly environment: Environment;
  readonly version: string;
  /** How this program was started, as one would type it: `hermes`, or `node dist/main.js`. */
  readonly program: string;
  readonly pid: number;
  /** Data only. */
  readonly stdout: Output;
  /** Everything else. */
  readonly stderr: Output;
  readonly stdin: {
    readonly isTerminal: boolean;
    readAll(): Promise<string>;
    /** One line without its end; empty at the end of the input. */
    readLine(): Promise<string>;
    /** A line to type on, at the terminal; nothing is shown before `show`. Ctrl-C comes as an event and ends nothing. */
    edit(events: LineEditorEvents): LineEditor;
  };
  /**
   * Aborts at the first SIGTERM or SIGINT. From this call on these signals no longer end the process by themselves; a
   * second one does.
   */
  watchStop(): AbortSignal;
  /** Calls back at SIGHUP, which otherwise would end the process. */
  onReload(callback: () => void): void;
  /** Calls back with an error that nobody caught, right before the process ends with exit code 1. */
  onCrash(callback: (error: unknown) => void): void;
}

/** 0 done, 1 failed, 2 wrong usage, 78 settings that cannot be used. */
export type ExitCode = 0 | 1 | 2 | 78;

export type Run = (args: readonly string[], edge: Edge) => Promise<ExitCode>;

/** The command was written in a way that it does not understand. */
export class UsageError extends Error {}

/** Expected, told as it is, exit code 1. */
export class CommandFailure extends Error {}
