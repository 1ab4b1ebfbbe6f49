/** `node --import tsx test/emulators/telegram/main.ts [--port N] [--any-token] [--start-update N] [--start-message N]` */
import { parseFlags, runEmulatorProcess } from '../kit/emulator-process.js';
import { startTelegramEmulator } from './server.js';

const flags = parseFlags(process.argv.slice(2));

function numberFlag(name: string): number | undefined {
  const value = flags.get(name);
  return value === undefined || value === true ? undefined : Number(value);
}

const update = numberFlag('start-update');
const message = numberFlag('start-message');

await runEmulatorProcess(() =>
  startTelegramEmulator({
    port: numberFlag('port') ?? 0,
    anyToken: flags.has('any-token'),
    defaults: {
      startIds: {
        ...(update === undefined ? {} : { update }),
        ...(message === undefined ? {} : { message }),
      },
    },
  }),
);
