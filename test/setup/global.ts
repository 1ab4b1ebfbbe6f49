import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { isBuilt } from '../../scripts/setup.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Loopback port of the Bot API emulator; 0 if it did not start, which the run's output tells of. */
    telegramPort: number;
    /** Loopback port of the chat completions emulator; 0 if it did not start. */
    openaiPort: number;
    /** Loopback port of the Discord emulator; 0 if it did not start. */
    discordPort: number;
    /** Loopback port of the WhatsApp emulator; 0 if it did not start. */
    whatsappPort: number;
    /** The built program, as new as the sources; not there if the build failed. */
    distMain: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const distMain = join(root, 'dist/main.js');

/** tsx compiles the emulator first, which on a busy machine takes seconds. */
const readyTimeoutMs = 30_000;

/**
 * Starts the far side once for the whole run and hands its ports to the tests. What cannot be started or built is said
 * and leaves a port or a file that no test can use: only the tests that need it fail.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildIfStale();
  const [telegram, openai, discord, whatsapp] = await Promise.all([
    startEmulator('telegram'),
    startEmulator('openai'),
    startEmulator('discord'),
    startEmulator('whatsapp'),
  ]);
  project.provide('telegramPort', telegram.port);
  project.provide('openaiPort', openai.port);
  project.provide('discordPort', discord.port);
  project.provide('whatsappPort', whatsapp.port);
  project.provide('distMain', distMain);
  return async () => {
    await Promise.all([telegram.stop(), openai.stop(), discord.stop(), whatsapp.stop()]);
  };
}

interface Emulator {
  readonly port: number;
  stop(): Promise<void>;
}

const absent: Emulator = { port: 0, stop: async () => {} };

async function startEmulator(name: string): Promise<Emulator> {
  const entry = join(root, 'test/emulators', name, 'main.ts');
  if (!existsSync(entry)) return absent;
  const child = spawn(process.execPath, ['--import', 'tsx', entry], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // An interrupted run has no teardown.
  process.once('exit', () => child.kill('SIGKILL'));
  try {
    return { port: await readyPort(child), stop: () => stop(child) };
  } catch (error) {
    say(`the ${name} emulator did not start: ${error instanceof Error ? error.message : String(error)}`);
    await stop(child);
    return absent;
  }
}

/** Resolves with the port of the line `{"ready":true,"port":N}`; later output is read and dropped. */
function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((found, fail) => {
    const timer = setTimeout(() => fail(new Error('it did not say that it is ready')), readyTimeoutMs);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    child.once('error', (error) => settle(() => fail(error)));
    child.once('exit', (code, signal) => settle(() => fail(new Error(`it ended with ${code ?? signal}`))));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^\{"ready":true,"port":(\d+)/.exec(line)?.[1];
      if (port !== undefined) settle(() => found(Number(port)));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

/** `npm test` has built before; this is for vitest run by itself. */
function buildIfStale(): void {
  if (isBuilt(root) || !existsSync(join(root, 'src/main.ts'))) return;
  try {
    execFileSync(process.execPath, ['scripts/build.mjs'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    // What is left would be another program than the one under test.
    rmSync(distMain, { force: true });
    say('the build failed; tests that run dist will fail');
  }
}

function say(text: string): void {
  process.stderr.write(`test set-up: ${text}\n`);
}
