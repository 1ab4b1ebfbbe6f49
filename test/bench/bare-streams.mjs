// The floor of many streams: the same client, fed by the same bot, reading each answer as it grows.
import { Bot } from 'grammy';
import OpenAI from 'openai';

const bot = new Bot(process.env['TELEGRAM_BOT_TOKEN'] ?? '', {
  client: { apiRoot: process.env['TELEGRAM_API_ROOT'] ?? '' },
});
const openai = new OpenAI();

/**
 * @param {number} chat
 * @param {string} content
 */
async function answer(chat, content) {
  const stream = await openai.chat.completions.create({
    model: 'emulated-small',
    messages: [{ role: 'user', content }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  await bot.api.sendMessage(chat, text);
}

bot.on('message:text', ({ chat, message }) => {
  answer(chat.id, message.text).catch((error) => process.stderr.write(`${error}\n`));
});

process.once('SIGTERM', () => bot.stop());
await bot.start();
