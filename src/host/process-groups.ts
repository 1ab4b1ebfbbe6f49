/**
 * Programs that run beside the gateway.
 * 1. Each leads a process group, and what is left of the group is ended with it: nothing that a program started outlives it.
 * 2. The environment is made here, not inherited: the gateway's own has its tokens and keys.
 * 3. Output is kept up to a limit, time too, so that no program can fill the memory or hold a turn.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../core/clock.js';
import { never, ToolError } from '../core/errors.js';
import type { ProcessPort, ProcessRequest, ProcessResult } from '../core/process.js';

/** From the wish to end until force. */
const GRACE_MS = 2_000;
/** Somebody outside the group may hold its output open; it is not waited for longer. */
const DRAIN_MS = 1_000;
const MAX_STDERR_BYTES = 16 * 1024;

const baseEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
  LANG: 'C.UTF-8',
};

/** Keeps the first bytes of a stream. */
class Kept {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False: there was more than is kept. */
  add(chunk: Buffer): boolean {
    const room = this.#maxBytes - this.#length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#length += Math.min(room, chunk.length);
    return chunk.length <= room;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
};

/** Its streams are missing where the host has no more file descriptors; then an `error` follows. */
const start = ({ command, args, cwd, environment }: ProcessRequest): ChildProcess =>
  spawn(command, args, {
    cwd,
    env: { ...baseEnvironment, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const cannotStart = (command: string, error: NodeJS.ErrnoException): ToolError =>
  new ToolError({
    code: 'failed',
    message: `The program ${command} cannot be started (${error.code ?? error.message}).`,
    retry: never,
    cause: error,
  });

const run = (
  request: ProcessRequest,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ProcessResult> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = start(request);
    const stdout = new Kept(request.maxOutputBytes);
    const stderr = new Kept(MAX_STDERR_BYTES);
    const timers: (() => void)[] = [];
    let cut: 'timed-out' | 'too-much-output' | 'aborted' | undefined;

    const end = (why: NonNullable<typeof cut>): void => {
      if (cut !== undefined) return;
      cut = why;
      signalGroup(child, 'SIGTERM');
      timers.push(clock.after(GRACE_MS, () => signalGroup(child, 'SIGKILL')));
    };
    const onAbort = (): void => end('aborted');
    const finish = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      for (const cancel of timers) cancel();
      settle();
    };

    child.on('error', (error) => finish(() => reject(cannotStart(request.command, error))));
    signal.addEventListener('abort', onAbort, { once: true });
    timers.push(clock.after(request.timeoutMs, () => end('timed-out')));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!stdout.add(chunk)) end('too-much-output');
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    child.on('exit', () => {
      signalGroup(child, 'SIGKILL');
      const letGo = (): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      timers.push(clock.after(DRAIN_MS, letGo));
    });
    child.on('close', (exitCode) =>
      finish(() => {
        if (cut === 'aborted') return reject(signal.reason);
        const ending: ProcessResult['ending'] = cut ?? (exitCode === null ? 'killed' : 'exited');
        const output = { ending, stdout: stdout.bytes(), stderr: stderr.bytes() };
        resolve(ending === 'exited' && exitCode !== null ? { ...output, exitCode } : output);
      }),
    );
  });

export const createProcessPort = ({ clock }: { readonly clock: Clock }): ProcessPort => ({
  run: (request, { signal }) => run(request, { clock, signal }),
});
