// The floor: what an author writes in an evening. It stores nothing, so a crash loses what is under way, it remembers
// nothing, and it answers everybody. A message does not wait for the one before: that is the faster way to write it.
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
  const completion = await openai.chat.completions.create({
    model: 'emulated-small',
    messages: [{ role: 'user', content }],
  });
  await bot.api.sendMessage(chat, completion.choices[0]?.message.content ?? '');
}

bot.on('message:text', ({ chat, message }) => {
  answer(chat.id, message.text).catch((error) => process.stderr.write(`${error}\n`));
});

process.once('SIGTERM', () => bot.stop());
await bot.start();
