/** Starts commands where the settings say, in the folder of their session. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../core/clock.js';
import type { CommandRequest, CommandSettings } from '../../core/commands.js';
import type { SessionId } from '../../core/ids.js';
import { isInside } from '../secret-paths.js';
import { refuse } from '../workspace-places.js';
import { toCommandLine } from './command-line.js';
import { KeptOutput } from './kept-output.js';
import { RunningCommand } from './running-command.js';

export interface LauncherDeps {
  readonly settings: CommandSettings;
  /** Which one it is now. */
  readonly workspace: () => string;
  readonly userHome: string;
  /** Where outputs that are too long are kept. */
  readonly outputs: string;
  readonly clock: Clock;
}

/** A command that runs, and what is known of it meanwhile. */
export interface Launched {
  readonly runId: string;
  readonly running: RunningCommand;
  readonly output: KeptOutput;
  /** Takes the end mark out of a text. */
  readonly cut: (text: string) => string;
  /** Where its shell ended; undefined if it did not say. Inside its workspace or the workspace itself. */
  endFolder(): string | undefined;
}

const realOr = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

export class Launcher {
  readonly #deps: LauncherDeps;
  readonly #folders = new Map<SessionId, string>();

  constructor(deps: LauncherDeps) {
    this.#deps = deps;
  }

  folder(session: SessionId): string {
    const root = realOr(this.#deps.workspace());
    const kept = this.#folders.get(session);
    return kept !== undefined && isInside(realOr(kept), root) ? kept : root;
  }

  /** Back to the workspace where the folder is not inside it. */
  keepFolder(session: SessionId, folder: string): void {
    if (isInside(realOr(folder), realOr(this.#deps.workspace()))) this.#folders.set(session, folder);
    else this.#folders.delete(session);
  }

  launch(request: CommandRequest, { session, scratch, hasLimit }: LaunchPlace): Launched {
    const { settings, outputs, clock } = this.#deps;
    const workspace = realOr(this.#deps.workspace());
    const cwd = scratch ?? this.#cwdOf(request, session, workspace);
    const runId = randomUUID();
    const endMark = `__hermes_end_${runId}__:`;
    const environment = this.#environment(request);
    const argv = toCommandLine(
      {
        run: request.run,
        cwd,
        workspace,
        ...(scratch !== undefined && { scratch }),
        isTerminal: request.pty === true,
        endMark,
        environment,
      },
      settings.backend,
    );
    const output = new KeptOutput(outputs, `command-${runId}`);
    const running = new RunningCommand(
      {
        argv,
        // A remote shell changes the folder itself.
        cwd: settings.backend.kind === 'ssh' ? workspace : cwd,
        environment,
        runId,
        ...(hasLimit && { timeoutMs: request.timeoutMs ?? settings.timeoutMs }),
        hasInput: !hasLimit,
        clock,
      },
      output,
    );
    const cut = (text: string): string => {
      const at = text.lastIndexOf(endMark);
      return at === -1 ? text : text.slice(0, at).replace(/\r?\n$/u, '');
    };
    const endFolder = (): string | undefined => {
      const end = output.end();
      const at = end.lastIndexOf(endMark);
      if (at === -1 || settings.backend.kind === 'ssh') return undefined;
      return end.slice(at + endMark.length).split(/\r?\n/u)[0];
    };
    return { runId, running, output, cut, endFolder };
  }

  #cwdOf({ cwd }: CommandRequest, session: SessionId, workspace: string): string {
    if (cwd === undefined) return this.folder(session);
    if (!isInside(realOr(cwd), workspace))
      throw refuse(
        'not-allowed',
        `'${cwd}' is outside the workspace, so nothing was run. Give a folder inside it.`,
      );
    return cwd;
  }

  /** Nothing of the gateway's own is in it. */
  #environment({ pty }: CommandRequest): Readonly<Record<string, string>> {
    const { userHome } = this.#deps;
    const usual = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';
    return {
      PATH: `${usual}:${userHome}/.local/bin:${dirname(process.execPath)}`,
      HOME: userHome,
      LANG: 'C.UTF-8',
      TERM: pty === true ? 'xterm-256color' : 'dumb',
      // Programs that page or ask would wait for somebody who is not there.
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      DEBIAN_FRONTEND: 'noninteractive',
    };
  }
}

interface LaunchPlace {
  readonly session: SessionId;
  /** A folder of its own, where it runs. */
  readonly scratch?: string;
  /** False: it runs on, and can be typed into. */
  readonly hasLimit: boolean;
}
