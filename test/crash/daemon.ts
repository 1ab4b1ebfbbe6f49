/** The built gateway as a process with a home of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface HomeSettings {
  /** The sections of those that are on, by name. */
  readonly platforms: Readonly<Record<string, object>>;
  readonly openaiBaseUrl: string;
  readonly openaiKey: string;
  /** Further sections, by name. */
  readonly more?: Readonly<Record<string, object>>;
}

export interface Home {
  readonly path: string;
  /** A file in it that may be sent. */
  readonly picture: string;
  remove(): void;
}

/** A home whose settings lead to the emulators; its workspace holds `note.txt` and `picture.png`. */
export function createHome(settings: HomeSettings): Home {
  const path = mkdtempSync(join(tmpdir(), 'hermes-crash-'));
  const config = {
    model: {
      provider: 'openai',
      default: 'emulated-small',
      base_url: settings.openaiBaseUrl,
      api_key: settings.openaiKey,
    },
    allowed_users: ['*'],
    platforms: { ...settings.platforms, web: { port: 0 } },
    ...settings.more,
  };
  // JSON is YAML.
  writeFileSync(join(path, 'config.yaml'), JSON.stringify(config, null, 2), { mode: 0o600 });
  mkdirSync(join(path, 'workspace'), { mode: 0o700 });
  writeFileSync(join(path, 'workspace', 'note.txt'), 'Nothing of note.\n');
  const picture = join(path, 'workspace', 'picture.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  return { path, picture, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Daemon {
  readonly pid: number;
  /** Resolves when the process is gone and all it wrote is read. */
  readonly exited: Promise<Exit>;
  /** Lines of both outputs so far. */
  readonly lines: readonly string[];
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2'): void;
}

/** The errors that a process wrote into the home's log, as they stand there. */
export function loggedErrors({ path }: Home, { pid }: Daemon): readonly string[] {
  const file = join(path, 'logs', 'gateway.log');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{"level":"error"') && line.includes(`"pid":${pid},`));
}

/** `environment`: what it gets besides its home. */
export function startDaemon(
  distMain: string,
  home: Home,
  environment: Readonly<Record<string, string>> = {},
): Daemon {
  return watch(spawnGateway(home, process.execPath, [distMain, 'gateway'], environment));
}

const onSmallDisk = 'mount -t tmpfs -o size="$1" tmpfs "$2" && cp "$3" "$2" && shift 3 && exec "$@"';

export interface SmallDisk {
  readonly daemon: Daemon;
  /** Where its home is to be seen from here, while it runs. */
  readonly path: string;
}

/** The same on a disk of its own, which is gone with the process. Needs the rights of root, see {@link canMount}. */
export function startOnSmallDisk(distMain: string, home: Home, sizeBytes: number): SmallDisk {
  const disk = join(home.path, 'disk');
  mkdirSync(disk, { mode: 0o700 });
  const config = join(home.path, 'config.yaml');
  const script = `exec unshare -m sh -c '${onSmallDisk}' sh "$@"`;
  const parameters = [String(sizeBytes), disk, config, process.execPath, distMain, 'gateway'];
  const child = spawnGateway({ ...home, path: disk }, 'sh', ['-c', script, 'sh', ...parameters]);
  const daemon = watch(child);
  return { daemon, path: join('/proc', String(daemon.pid), 'root', disk) };
}

/** A container may not give these rights even to root. */
export const canMount = (): boolean =>
  spawnSync('sh', ['-c', "unshare -m sh -c 'mount -t tmpfs tmpfs /mnt'"]).status === 0;

const spawnGateway = (
  home: Home,
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) =>
  spawn(command, parameters, {
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path, HERMES_HOME: home.path, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function watch(child: ReturnType<typeof spawnGateway>): Daemon {
  const lines: string[] = [];
  collectLines(child.stdout, lines);
  collectLines(child.stderr, lines);
  return {
    pid: child.pid ?? -1,
    lines,
    exited: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    }),
    kill: (signal) => void child.kill(signal),
  };
}

function collectLines(output: Readable, lines: string[]): void {
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  output.once('close', () => {
    if (rest !== '') lines.push(rest);
  });
}
