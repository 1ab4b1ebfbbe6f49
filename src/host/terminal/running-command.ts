/**
 * One program with everything it starts. It leads a process group, and its environment carries a name of its own, by
 * which also those are found that left the group (daemons, new sessions): nothing outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../../core/clock.js';
import type { CommandEnding } from '../../core/commands.js';
import { never, ToolError } from '../../core/errors.js';
import type { KeptOutput } from './kept-output.js';

/** From the wish to end until force. */
const graceMs = 2_000;
/** Somebody outside may hold its output open; it is not waited for longer. */
const drainMs = 500;
/** Who starts processes faster than they are ended is caught in one of these rounds. */
const maxRounds = 20;

const runVariable = 'HERMES_RUN';

export interface RunningOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly timeoutMs?: number;
  readonly hasInput: boolean;
  readonly clock: Clock;
}

export interface CommandEnd {
  readonly ending: CommandEnding;
  readonly exitCode?: number;
}

/** Processes whose environment names the run. Linux tells; elsewhere the group has to do. */
const processesOf = (runId: string): readonly number[] => {
  const wanted = `${runVariable}=${runId}`;
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .filter((name) => {
        try {
          return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(wanted);
        } catch {
          return false;
        }
      })
      .map(Number);
  } catch {
    return [];
  }
};

const signalOne = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
};

/** Ends by force whatever is left of a run, also of one of an earlier life of the gateway. */
export const endRun = (runId: string): void => {
  for (let round = 0; round < maxRounds; round += 1) {
    const left = processesOf(runId);
    if (left.length === 0) return;
    // Stopped first, all of them, so that none starts another while the next is ended.
    for (const pid of left) signalOne(pid, 'SIGSTOP');
    for (const pid of left) signalOne(pid, 'SIGKILL');
  }
};

export class RunningCommand {
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<CommandEnd>;
  readonly #child: ChildProcess;
  readonly #options: RunningOptions;
  readonly #timers: (() => void)[] = [];
  #cut: 'timed-out' | 'stopped' | undefined;

  constructor(options: RunningOptions, output: KeptOutput) {
    const { argv, cwd, environment, runId, timeoutMs, hasInput, clock } = options;
    const [program = '', ...args] = argv;
    this.#options = options;
    this.#child = spawn(program, args, {
      cwd,
      env: { ...environment, [runVariable]: runId },
      detached: true,
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.ended = this.#watch(output, program);
    this.#child.stdin?.on('error', () => undefined);
    if (timeoutMs !== undefined) this.#timers.push(clock.after(timeoutMs, () => this.#end('timed-out')));
  }

  write(text: string): boolean {
    const { stdin } = this.#child;
    return stdin?.writable === true && (stdin.write(text) || true);
  }

  stop(): void {
    this.#end('stopped');
  }

  #end(why: 'timed-out' | 'stopped'): void {
    if (this.#cut !== undefined) return;
    this.#cut = why;
    this.#signal('SIGTERM');
    this.#timers.push(
      this.#options.clock.after(graceMs, () => {
        this.#signal('SIGKILL');
        endRun(this.#options.runId);
      }),
    );
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalOne(-this.#child.pid, signal);
  }

  #watch(output: KeptOutput, program: string): Promise<CommandEnd> {
    const child = this.#child;
    child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.add(chunk));
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        for (const cancel of this.#timers) cancel();
        output.close();
        settle();
      };
      child.on('error', (error: NodeJS.ErrnoException) => finish(() => reject(cannotStart(program, error))));
      child.on('exit', () => {
        this.#signal('SIGKILL');
        endRun(this.#options.runId);
        const letGo = (): void => {
          child.stdout?.destroy();
          child.stderr?.destroy();
        };
        this.#timers.push(this.#options.clock.after(drainMs, letGo));
      });
      child.on('close', (exitCode) =>
        finish(() => {
          if (this.#cut !== undefined) return resolve({ ending: this.#cut });
          if (exitCode === null) return resolve({ ending: 'killed' });
          resolve({ ending: 'exited', exitCode });
        }),
      );
    });
  }
}

const cannotStart = (program: string, error: NodeJS.ErrnoException): ToolError =>
  new ToolError({
    code: 'failed',
    message:
      error.code === 'ENOENT'
        ? `Nothing was run: the program ${program} is not installed here, or its folder is gone. Tell the user.`
        : `Nothing was run: ${program} cannot be started (${error.code ?? error.message}).`,
    retry: never,
    cause: error,
  });
