import type { Caller } from './caller.js';
import type { CorrelationId, SessionId } from './ids.js';
import type { Route } from './route.js';

/** Where commands run. */
export type CommandBackend =
  | { readonly kind: 'local' }
  /** On this host, seeing the system read-only and of the rest the workspace alone. */
  | { readonly kind: 'bubblewrap'; readonly hasNetwork: boolean }
  /** In a fresh container of an image, with the workspace at its own path. */
  | { readonly kind: 'docker'; readonly image: string; readonly hasNetwork: boolean }
  /** On another host, in a folder there. */
  | {
      readonly kind: 'ssh';
      readonly host: string;
      readonly folder: string;
      readonly port?: number;
      readonly identityFile?: string;
    };

export interface CommandSettings {
  readonly backend: CommandBackend;
  /** Of a command that says nothing itself. */
  readonly timeoutMs: number;
}

export interface CommandRequest {
  /** A shell's command line; or a program and its arguments with no shell between. */
  readonly run: string | readonly string[];
  /** Absolute; default: where the session's last command ended, at first the workspace. */
  readonly cwd?: string;
  /** Default: the settings'. */
  readonly timeoutMs?: number;
  /** Gives it a terminal, for programs that want one. */
  readonly pty?: boolean;
  /** Written into a folder of its own, where it runs; the path is the program's last argument. Gone afterwards. */
  readonly script?: { readonly fileName: string; readonly text: string };
}

/** Words of the gateway itself in a chat. The same key again says nothing; where nobody reads, nothing is said. */
export interface NoticeService {
  say(notice: {
    readonly route: Route;
    readonly text: string;
    readonly key: string;
    readonly correlation: CorrelationId;
  }): Promise<void>;
}

/** On whose behalf a command runs. */
export interface CommandOwner {
  readonly session: SessionId;
  readonly caller: Caller;
  readonly correlation: CorrelationId;
}

export interface CommandOutput {
  /** Beginning and end, with a line between that says how much is left out. */
  readonly text: string;
  readonly sizeBytes: number;
  /** The path of all of it, where that is more than the text. */
  readonly file?: string;
}

/** `killed`: by a signal that did not come from us. */
export type CommandEnding = 'exited' | 'killed' | 'timed-out' | 'stopped';

export interface CommandResult {
  readonly ending: CommandEnding;
  /** Only of one that exited by itself. */
  readonly exitCode?: number;
  readonly output: CommandOutput;
  /** Where the session's next command runs. */
  readonly folder: string;
  readonly durationMs: number;
}

/** A command that runs beside the conversation. */
export interface BackgroundCommand {
  readonly id: string;
  /** As it was given. */
  readonly line: string;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly end?: { readonly ending: CommandEnding; readonly exitCode?: number; readonly at: number };
}

/**
 * Runs commands. Each ends with everything it started, at its time limit at the latest, and gets an environment without
 * anything of the gateway's. What cannot be started is a ToolError.
 */
export interface CommandService {
  /** Where the session's next command runs. */
  folder(session: SessionId): string;
  /** Rejects with the signal's reason, once nothing of it is left. */
  run(
    request: CommandRequest,
    owner: CommandOwner,
    options: { readonly signal: AbortSignal },
  ): Promise<CommandResult>;
  /** Leaves it running. Its end is told in the owner's chat, also where a restart of the gateway ended it. */
  start(request: CommandRequest, owner: CommandOwner): Promise<BackgroundCommand>;
  /** The session's, the latest first; those that ended stay for a while. */
  list(session: SessionId): readonly BackgroundCommand[];
  find(session: SessionId, id: string): BackgroundCommand | undefined;
  output(session: SessionId, id: string): CommandOutput | undefined;
  /** Types into it. False: it does not run, or reads no more. */
  write(session: SessionId, id: string, text: string): boolean;
  /** Resolves when it ended, or after `timeoutMs`. Rejects with the signal's reason. */
  wait(
    session: SessionId,
    id: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Ends it with everything it started; its end is not told then. */
  kill(session: SessionId, id: string): Promise<void>;
}
