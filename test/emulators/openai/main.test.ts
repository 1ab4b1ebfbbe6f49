import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiControl, hang } from './control.js';
import { ask, complete, createClient, failureOf } from './harness.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(...args: string[]): Promise<{ child: ChildProcess; lines: string[]; port: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const ready: { ready: boolean; port: number } = JSON.parse(lines[0] ?? '');
  expect(ready.ready).toBe(true);
  return { child, lines, port: ready.port };
}

describe('the emulator as a process', () => {
  it('says one line, serves, and ends on SIGTERM although an answer hangs', async () => {
    const { child, lines, port } = await start();
    const control = createOpenAiControl(`http://127.0.0.1:${port}`, 'sk-1');
    await control.reset();
    const client = createClient(control.baseUrl, control.key);
    expect((await complete(client, ask('hi'))).choices[0]?.message.content).toBe('echo: hi');
    await control.respond(hang());
    const hanging = failureOf(complete(client, ask('hang')));
    await control.waitFor({ gate: 'hang' });
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await hanging).toBeInstanceOf(Error);
    expect(lines).toHaveLength(1);
  });

  it('takes any key if told so', async () => {
    const { port } = await start('--any-key');
    const client = createClient(`http://127.0.0.1:${port}/v1`, 'sk-whatever');
    expect((await complete(client, ask('hi'))).choices[0]?.message.content).toBe('echo: hi');
  });
});
