import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { canMount, type Daemon } from './daemon.js';
import { createProcessWorld, person } from './process-world.js';

const diskBytes = 6 * 1_048_576;
/** Service managers kill a process that takes much longer. */
const stopLimitMs = 12_000;

/** Until nothing fits any more, in pieces that get smaller. */
const fill = (file: string): void => {
  const handle = openSync(file, 'a');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch {
      // It is full for pieces of this size.
    }
  }
  closeSync(handle);
};

interface Health {
  readonly status: string;
  readonly adapters: readonly { readonly platform: string; readonly detail?: string }[];
}

const healthOf = async ({ lines }: Daemon): Promise<Health> => {
  const [page = ''] = /http:\/\/127\.0\.0\.1:\d+/u.exec(lines.join('\n')) ?? [];
  // Our own answer, looked at field by field below.
  return (await (await fetch(`${page}/health`)).json()) as Health;
};

// Mounting takes the rights of root.
test.skipIf(!canMount())(
  'a full disk is named, costs no message, and holds up no stop',
  async () => {
    const { telegram, model, startOnSmallDisk } = await createProcessWorld();
    const { daemon, path } = await startOnSmallDisk(diskBytes);
    const filler = join(path, 'filler');
    await model.respond(text('there is room'), text('there is room again'));
    await telegram.sendDirect(person, 'one');
    await telegram.waitForMessage(person, 'there is room');
    fill(filler);
    await telegram.sendDirect(person, 'two');
    await expect
      .poll(async () => JSON.stringify(await healthOf(daemon)), { timeout: 20_000 })
      .toMatch(/no room left|disk .* is full/u);
    expect(await healthOf(daemon)).toMatchObject({ status: 'degraded' });
    rmSync(filler);
    await telegram.waitForMessage(person, 'there is room again', { timeoutMs: 30_000 });
    fill(filler);
    await telegram.sendDirect(person, 'three');
    await expect
      .poll(async () => JSON.stringify(await healthOf(daemon)), { timeout: 20_000 })
      .toMatch(/no room left|disk .* is full/u);
    const before = performance.now();
    daemon.kill('SIGTERM');
    expect(await daemon.exited).toMatchObject({ code: 0 });
    expect(performance.now() - before).toBeLessThan(stopLimitMs);
  },
  90_000,
);
