/** The built program as a process: what only shows from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';

const folders: string[] = [];
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  for (const folder of folders.splice(0)) {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  }
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-process-'));
  folders.push(folder);
  return folder;
};

/** A home whose page takes any free port. */
const newHome = (): string => {
  const home = newFolder();
  writeFileSync(join(home, 'config.yaml'), 'platforms: {web: {port: 0}}\n');
  return home;
};

interface Started {
  readonly child: ChildProcess;
  /** Resolves once stderr holds the text; rejects if the process ends before. */
  told(text: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

const hermes = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  user?: number,
): Started => {
  const child = spawn(process.execPath, [inject('distMain'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }));
  });
  const told = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (err.includes(text)) resolve();
      };
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`it ended without '${text}': ${err}`)));
      look();
    });
  return { child, told, ended };
};

describe('a home that cannot be used', () => {
  /** Root may write everywhere, so as root the program runs as somebody else. */
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 65_534 : undefined;

  test('unwritable: the folder, the user and the way out are named, exit code 78', async () => {
    const home = join(newFolder(), 'home');
    mkdirSync(home);
    for (const folder of [join(home, '..'), home]) chmodSync(folder, isRoot ? 0o755 : 0o555);
    const { code, out, err } = await hermes(['gateway'], { HERMES_HOME: home }, user).ended;
    expect([code, out]).toEqual([78, '']);
    const told = err.replace(/\s+/gu, ' ');
    expect(told).toContain(`a folder that may be written at ${home}`);
    expect(told).toContain(`no permission for user id ${user ?? process.getuid?.()}`);
    expect(told).toMatch(/sudo chown -R \d+ .*HERMES_HOME/);
    expect(readdirSync(home)).toEqual([]);
    if (!isRoot) chmodSync(home, 0o700);
  });

  test('unreadable: the same for settings that are there and closed', async () => {
    const home = newHome();
    chmodSync(join(home, 'config.yaml'), 0);
    chmodSync(home, 0o755);
    const { code, err } = await hermes(['gateway'], { HERMES_HOME: home }, user).ended;
    expect(code).toBe(78);
    expect(err).toContain('config.yaml: expected a text file that can be read');
    expect(err).toContain('EACCES');
  });
});

describe('a running gateway', () => {
  test('is seen by other commands, keeps a second one out, survives SIGHUP and ends with 0', async () => {
    const home = newHome();
    const environment = { HERMES_HOME: home };
    const gateway = hermes(['gateway'], environment);
    await gateway.told('Ctrl-C stops the gateway');

    const status = await hermes(['status', '--json'], environment).ended;
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({
      running: true,
      pid: gateway.child.pid,
      adapters: [{ platform: 'web', state: 'connected' }],
    });

    const sent = await hermes(['send', '--to', 'web:main', 'hello'], environment).ended;
    expect(sent).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^web:main\t\S+\n$/) });

    const second = await hermes(['gateway'], environment).ended;
    expect([second.code, second.out]).toEqual([1, '']);
    expect(second.err).toContain(`process ${gateway.child.pid}`);

    gateway.child.kill('SIGHUP');
    await gateway.told('settings reloaded, nothing has changed');
    gateway.child.kill('SIGTERM');
    const { code, out } = await gateway.ended;
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(join(home, 'logs/gateway.log'), 'utf8')).toContain('gateway stopped');

    const alone = await hermes(['send', '--to', 'web:main', 'hello'], environment).ended;
    expect(alone).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^web:main\t\S+\n$/) });
    expect((await hermes(['status'], environment).ended).code).toBe(1);
  });

  test('says in its status why a platform is down and what to do', async () => {
    const home = newHome();
    const token = '999999:NOBODY-HAS-THIS-TOKEN-AAAAAAAAAAAAA';
    writeFileSync(
      join(home, 'config.yaml'),
      `platforms: {web: {port: 0}, telegram: {token: '${token}', api_root: 'http://127.0.0.1:${inject('telegramPort')}'}}\n`,
    );
    const environment = { HERMES_HOME: home };
    const gateway = hermes(['gateway'], environment);
    await gateway.told('Ctrl-C stops the gateway');
    const { out } = await hermes(['status'], environment).ended;
    const lines = out.split('\n');
    const row = lines.findIndex((line) => line.startsWith('Telegram'));
    expect(lines[row]).toContain('stopped');
    expect(lines[row + 1]).toMatch(/^! Telegram: .*Telegram does not know this bot token/u);
    expect(out.replace(/\s+/gu, ' ')).toContain('set TELEGRAM_BOT_TOKEN');
    expect(out).not.toContain('NOBODY-HAS');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const sent = await hermes(['send', '--to', 'telegram:5', 'hello'], environment).ended;
    expect(sent).toMatchObject({ code: 1, out: '' });
  });

  test('a second signal ends it at once, while the first one is still waiting for a request', async () => {
    const home = newHome();
    const gateway = hermes(['gateway'], { HERMES_HOME: home });
    await gateway.told('Ctrl-C stops the gateway');
    const upload = request({
      socketPath: join(home, 'gateway.sock'),
      method: 'POST',
      path: '/api/deliveries',
      headers: { 'content-type': 'application/json', 'content-length': 100 },
    });
    // It is cut off with the process.
    upload.on('error', () => {});
    await new Promise<void>((resolve) => {
      upload.write('{"to":', () => resolve());
    });
    gateway.child.kill('SIGINT');
    await gateway.told('gateway stopping');
    gateway.child.kill('SIGINT');
    expect((await gateway.ended).code).toBe(130);
  });
});

test('help loads no library: neither schema, YAML, log nor SDK', async () => {
  const folder = newFolder();
  const { code } = await hermes(['--help'], { NODE_V8_COVERAGE: folder }).ended;
  expect(code).toBe(0);
  const [report = ''] = readdirSync(folder);
  const { result } = JSON.parse(readFileSync(join(folder, report), 'utf8')) as { result: { url: string }[] };
  const loaded = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  expect(loaded.map((url) => basename(url))).toContain('main.js');
  const bytes = loaded.reduce((sum, url) => sum + readFileSync(new URL(url)).length, 0);
  // Every one of those libraries alone is several times larger.
  expect(bytes).toBeLessThan(25_000);
});
