import { parseArgs } from 'node:util';
import { startOpenAiEmulator } from './server.js';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, 'any-key': { type: 'boolean', default: false } },
});

const emulator = await startOpenAiEmulator({ port: Number(values.port), anyKey: values['any-key'] });
process.stdout.write(`${JSON.stringify({ ready: true, port: emulator.port })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
