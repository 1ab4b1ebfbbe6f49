/** How an emulator lives as a process of its own: one ready line on stdout, gone on SIGTERM or SIGINT. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LoopbackServer } from './loopback-server.js';

/** Prints exactly one line, `{"ready":true,"port":N}`, and closes the server on the usual signals. */
export async function runEmulatorProcess(
  start: () => Promise<Pick<LoopbackServer, 'port' | 'close'>>,
): Promise<void> {
  const server = await start();
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, port: server.port })}\n`);
}

export interface EmulatorProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends the process and resolves when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts an emulator's `main.ts` as a process of its own and resolves at its ready line.
 * `mainUrl` is the file URL of that file, as in `new URL('./main.ts', import.meta.url)`.
 */
export function spawnEmulator(mainUrl: URL, flags: readonly string[] = []): Promise<EmulatorProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(mainUrl), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the emulator ended with code ${code} before it was ready`)),
    );
    createInterface({ input: child.stdout }).once('line', (line) => {
      const port = readPort(line);
      resolve({
        url: `http://127.0.0.1:${port}`,
        port,
        pid: child.pid ?? -1,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await gone;
        },
      });
    });
  });
}

function readPort(line: string): number {
  const value: unknown = JSON.parse(line);
  if (typeof value === 'object' && value !== null && 'port' in value && typeof value.port === 'number')
    return value.port;
  throw new Error(`not a ready line: ${line}`);
}

/** Reads `--name value` and `--name` flags; a flag without a value is `true`. */
export function parseFlags(argv: readonly string[]): ReadonlyMap<string, string | true> {
  const flags = new Map<string, string | true>();
  for (let index = 0; index < argv.length; index += 1) {
    const name = argv[index];
    if (name === undefined || !name.startsWith('--')) continue;
    const value = argv[index + 1];
    flags.set(name.slice(2), value === undefined || value.startsWith('--') ? true : value);
  }
  return flags;
}
