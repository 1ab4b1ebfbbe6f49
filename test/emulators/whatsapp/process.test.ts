import { expect, test } from 'vitest';
import { spawnEmulator } from '../kit/emulator-process.js';
import { trustRoot } from './certificate.js';
import { createWhatsAppControl } from './control.js';

test('the emulator runs as a process of its own', async () => {
  const emulator = await spawnEmulator(new URL('./main.ts', import.meta.url), ['--any-world']);
  try {
    const control = createWhatsAppControl(emulator.url, 'chat');
    expect(control.socketUrl).toBe(`ws://127.0.0.1:${emulator.port}/ws/chat`);
    expect((await control.state()).trustRoot).toBe(trustRoot);
  } finally {
    await emulator.stop();
  }
});
