import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly pid: number;
  readonly lines: Interface;
  /** Kills it as a power switch would, and resolves when it is gone and its output was read. */
  kill(): Promise<void>;
}

/** Runs a TypeScript file as a process of its own. */
export const startChild = (script: URL, ...args: readonly string[]): Child => {
  const child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> } = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(script), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const closed = once(child, 'close');
  return {
    pid: child.pid ?? -1,
    lines: createInterface({ input: child.stdout }),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};
