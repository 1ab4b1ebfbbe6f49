/**
 * The far sides by hand: `npm run emulators -- [--telegram-port N] [--discord-port N] [--openai-port N]`. Prints how to
 * point the gateway at them; then every line typed is a message to the bot, in Telegram or behind `d:` in Discord, and
 * what the bot shows is printed.
 */
import { createInterface } from 'node:readline';
import { createDiscordControl } from './discord/control.js';
import { startDiscordEmulator } from './discord/server.js';
import { parseFlags } from './kit/emulator-process.js';
import { startOpenAiEmulator } from './openai/server.js';
import { createTelegramControl } from './telegram/control.js';
import { startTelegramEmulator } from './telegram/server.js';
import { toTerminalText } from './telegram/terminal.js';

const TOKEN = '100001:by-hand-0123456789abcdefgh';
const USER_ID = 1001;
const DISCORD_TOKEN = `${Buffer.from('900000000000000001').toString('base64url')}.BYHAND.0123456789abcdefgh`;
const DISCORD_USER_ID = '800000000000000001';
const VERBS = { sent: 'bot', edited: 'bot (edited)', deleted: 'bot (deleted)' } as const;

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

print(`Telegram Bot API on ${telegram.url}, Discord API on ${discord.url}/api, OpenAI API on ${openai.url}/v1.

Leave this running, and in a second terminal put into the gateway's .env (~/.hermes/.env):

TELEGRAM_BOT_TOKEN=${TOKEN}
TELEGRAM_ALLOWED_USERS=${USER_ID}
DISCORD_BOT_TOKEN=${DISCORD_TOKEN}
DISCORD_ALLOWED_USERS=${DISCORD_USER_ID}
OPENAI_BASE_URL=${openai.url}/v1
OPENAI_API_KEY=by-hand

and into its config.yaml:

platforms: {telegram: {api_root: "${telegram.url}"}, discord: {api_root: "${discord.url}/api"}}

Then start it with npm start. No real model is here: this one only repeats what you write.
Type a message to the bot here and press Enter (behind d: in Discord); Ctrl-D ends.`);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (line.trim() === '') return;
  const inDiscord = /^d:\s*(.+)$/u.exec(line)?.[1];
  const sent =
    inDiscord === undefined
      ? control.sendDirect(USER_ID, line)
      : discordControl.sayDirect(DISCORD_USER_ID, inDiscord);
  sent.catch((error: unknown) => print(String(error)));
});
lines.once('close', stop);
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

function stop(): void {
  Promise.allSettled([telegram.close(), discord.close(), openai.close()]).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000) % 2_000_000_000;
}
