/**
 * The far sides by hand: `npm run emulators -- [--telegram-port N] [--discord-port N] [--whatsapp-port N] [--openai-port N]`.
 * Prints how to point the gateway at them; then every line typed is a message to the bot, in Telegram, behind `d:` in
 * Discord or behind `w:` in WhatsApp, and what the bot shows is printed.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDiscordControl } from './discord/control.js';
import { startDiscordEmulator } from './discord/server.js';
import { parseFlags } from './kit/emulator-process.js';
import { startOpenAiEmulator } from './openai/server.js';
import { createTelegramControl } from './telegram/control.js';
import { startTelegramEmulator } from './telegram/server.js';
import { toTerminalText } from './telegram/terminal.js';
import { createWhatsAppControl } from './whatsapp/control.js';
import { silenceConsole } from './whatsapp/quiet.js';
import { startWhatsAppEmulator } from './whatsapp/server.js';

const TOKEN = '100001:by-hand-0123456789abcdefgh';
const USER_ID = 1001;
const DISCORD_TOKEN = `${Buffer.from('900000000000000001').toString('base64url')}.BYHAND.0123456789abcdefgh`;
const DISCORD_USER_ID = '800000000000000001';
const WHATSAPP_NUMBER = '15550100001';
const VERBS = { sent: 'bot', edited: 'bot (edited)', deleted: 'bot (deleted)' } as const;

silenceConsole();
const flags = parseFlags(process.argv.slice(2));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const telegram = await startTelegramEmulator({
  port: Number(flags.get('telegram-port') ?? 9001),
  anyToken: true,
  // A gateway that ran against an earlier start remembers its ids, so these must be above them.
  defaults: { startIds: { update: secondsNow(), message: secondsNow() % 100_000_000 } },
  onBotMessage: (event, message) =>
    print(`${VERBS[event]} #${message.messageId}> ${toTerminalText(message)}`),
});
const discord = await startDiscordEmulator({
  port: Number(flags.get('discord-port') ?? 9002),
  anyToken: true,
  onBotMessage: (event, { id, content, attachments }) =>
    print(
      `${VERBS[event]} in Discord #${id.slice(-4)}> ${content}${attachments.map(({ name }) => ` [${name}]`).join('')}`,
    ),
});
const whatsapp = await startWhatsAppEmulator({
  port: Number(flags.get('whatsapp-port') ?? 9003),
  onBotMessage: ({ kind, text, emoji, media }) =>
    print(
      `bot in WhatsApp (${kind})> ${emoji ?? text}${media === undefined ? '' : ` [${media.name ?? media.mimetype}]`}`,
    ),
});
const openai = await startOpenAiEmulator({ port: Number(flags.get('openai-port') ?? 9004), anyKey: true });
const control = createTelegramControl(telegram.url, TOKEN);
await control.setUser({ id: USER_ID, first_name: 'You' });
const discordControl = createDiscordControl(discord.url, DISCORD_TOKEN);
await discordControl.reset({
  users: [{ id: DISCORD_USER_ID, username: 'you' }],
  guilds: [
    { id: '700000000000000001', name: 'Home', channels: [{ id: '600000000000000001', name: 'general' }] },
  ],
});
const whatsappControl = createWhatsAppControl(whatsapp.url, 'chat');
await whatsappControl.reset({ anyDevice: true, phones: [{ number: WHATSAPP_NUMBER, name: 'You' }] });
// Files of the bot go over https, and its runtime takes further roots only from a file named before it starts.
const certificatePath = join(mkdtempSync(join(tmpdir(), 'hermes-emulators-')), 'media.pem');
writeFileSync(certificatePath, whatsapp.mediaCertificate);

print(`Telegram Bot API on ${telegram.url}, Discord API on ${discord.url}/api, WhatsApp on ${whatsappControl.socketUrl}, OpenAI API on ${openai.url}/v1.

Leave this running, and in a second terminal put into the gateway's .env (~/.hermes/.env):

TELEGRAM_BOT_TOKEN=${TOKEN}
TELEGRAM_ALLOWED_USERS=${USER_ID}
DISCORD_BOT_TOKEN=${DISCORD_TOKEN}
DISCORD_ALLOWED_USERS=${DISCORD_USER_ID}
WHATSAPP_ENABLED=true
WHATSAPP_ALLOWED_USERS=+${WHATSAPP_NUMBER}
OPENAI_BASE_URL=${openai.url}/v1
OPENAI_API_KEY=by-hand

and into its config.yaml:

platforms:
  telegram: {api_root: "${telegram.url}"}
  discord: {api_root: "${discord.url}/api"}
  whatsapp: {socket_url: "${whatsappControl.socketUrl}", trust_root: "${whatsapp.trustRoot}"}

Then start it with NODE_EXTRA_CA_CERTS=${certificatePath} npm start. WhatsApp is linked once: type here w: code and the
pairing code that the gateway shows, or w: scan and the text of its QR code. No real model is here: this one only repeats what you write.
Type a message to the bot here and press Enter (behind d: in Discord, w: in WhatsApp); Ctrl-D ends.`);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (line.trim() === '') return;
  say(line).catch((error: unknown) => print(String(error)));
});
lines.once('close', stop);
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

function say(line: string): Promise<unknown> {
  const [, where = '', text = line] = /^([dw]):\s*(.+)$/u.exec(line) ?? [];
  if (where === 'd') return discordControl.sayDirect(DISCORD_USER_ID, text);
  if (where !== 'w') return control.sendDirect(USER_ID, line);
  const [, verb = '', secret = ''] = /^(code|scan)\s+(\S+)$/u.exec(text) ?? [];
  if (verb === 'code') return whatsappControl.enterCode(secret.replace('-', ''));
  if (verb === 'scan') return whatsappControl.scan(secret);
  return whatsappControl.phone(WHATSAPP_NUMBER).sends(text);
}

function stop(): void {
  Promise.allSettled([telegram.close(), discord.close(), whatsapp.close(), openai.close()]).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000) % 2_000_000_000;
}
