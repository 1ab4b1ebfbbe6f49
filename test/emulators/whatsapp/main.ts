/** `node --import tsx test/emulators/whatsapp/main.ts [--port N] [--any-world]` */
import { parseFlags, runEmulatorProcess } from '../kit/emulator-process.js';
import { silenceConsole } from './quiet.js';
import { startWhatsAppEmulator } from './server.js';

silenceConsole();
const flags = parseFlags(process.argv.slice(2));
const port = flags.get('port');

await runEmulatorProcess(() =>
  startWhatsAppEmulator({
    port: port === undefined || port === true ? 0 : Number(port),
    anyWorld: flags.has('any-world'),
  }),
);
