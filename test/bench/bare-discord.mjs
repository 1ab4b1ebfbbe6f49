// The floor on Discord: what an author writes in an evening. Like the one on Telegram it stores and remembers nothing.
import { Client, GatewayIntentBits, Partials } from 'discord.js';
import OpenAI from 'openai';

const client = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ],
  // Without it the first message of a private chat is not seen.
  partials: [Partials.Channel],
  // The client's own limit of fifty calls a second would be all that a burst measures.
  rest: { api: process.env['DISCORD_API_ROOT'] ?? '', globalRequestsPerSecond: Number.POSITIVE_INFINITY },
});
const openai = new OpenAI();

/** @param {import('discord.js').Message} message */
async function answer(message) {
  const completion = await openai.chat.completions.create({
    model: 'emulated-small',
    messages: [{ role: 'user', content: message.content }],
  });
  if (message.channel.isSendable()) await message.channel.send(completion.choices[0]?.message.content ?? '');
}

client.on('messageCreate', (message) => {
  if (message.author.bot) return;
  answer(message).catch((error) => process.stderr.write(`${error}\n`));
});

process.once('SIGTERM', () => client.destroy());
await client.login(process.env['DISCORD_BOT_TOKEN']);
