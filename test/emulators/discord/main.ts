/** `node --import tsx test/emulators/discord/main.ts [--port N] [--any-token]` */
import { parseFlags, runEmulatorProcess } from '../kit/emulator-process.js';
import { startDiscordEmulator } from './server.js';

const flags = parseFlags(process.argv.slice(2));
const port = flags.get('port');

await runEmulatorProcess(() =>
  startDiscordEmulator({
    port: port === undefined || port === true ? 0 : Number(port),
    anyToken: flags.has('any-token'),
  }),
);
