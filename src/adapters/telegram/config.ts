/** Complaints begin with `expected …`; what to write instead follows behind a semicolon. */

import * as z from 'zod';
import { apiRoot, commonFields, hasTokenIfOn, idText } from '../kit/section.js';

const tokenAdvice =
  'a bot token like 123456:ABC-DEF; copy the whole token from @BotFather, and set TELEGRAM_BOT_TOKEN to it';

const userId = idText.refine((id) => id === '*' || /^\d+$/u.test(id), {
  message:
    'expected a numeric user id, or "*" for everyone; a name can change hands, so write the number in quotes',
});

const chatId = idText.refine((id) => id === '*' || /^-?\d+$/u.test(id), {
  message: 'expected a numeric chat id, or "*" for every chat; write it in quotes, like "-1001234567890"',
});

const homeChannel = idText.refine((id) => /^-?\d+(?::\d+)?$/u.test(id), {
  message: 'expected a chat id, or a chat and a topic; write "-1001234567890" or "-1001234567890:17"',
});

const token = z
  .string()
  .trim()
  .refine((text) => text === '' || /^\d+:[\w-]+$/u.test(text), { message: `expected ${tokenAdvice}` })
  .transform((text) => (text === '' ? undefined : text));

const webhookUrl = z.url({
  protocol: /^https?$/u,
  message:
    'expected the URL under which Telegram reaches the gateway; write one like https://bot.example.org/telegram',
});

/** The characters that Telegram takes in a secret. */
const secret = z.string().regex(/^[\w-]{1,256}$/u, {
  message: 'expected 1 to 256 letters, digits, _ or -; make one with `openssl rand -hex 32`',
});

const webhook = z
  .object({
    url: webhookUrl
      .optional()
      .meta({ description: 'Where Telegram sends updates. Its path is the one listened to.' }),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({ description: 'Address to listen on; a proxy in front of it does the HTTPS.' }),
    port: z.number().int().min(1).max(65_535).default(8443).meta({ description: 'Port to listen on.' }),
    secret: secret
      .optional()
      .meta({ description: 'Compulsory: what proves that an update comes from Telegram.' }),
  })
  .meta({ description: 'For `mode: webhook`.' });

export const telegramSection = z
  .object({
    ...commonFields({ groups: 'groups', signs: '👀 while working, then 👍 or 👎' }),
    token: token.optional().meta({ description: 'From @BotFather. Environment: TELEGRAM_BOT_TOKEN.' }),
    api_root: apiRoot('https://api.telegram.org')
      .default('https://api.telegram.org')
      .meta({ description: 'Another Bot API server, or a proxy to it.' }),
    local_api: z
      .boolean()
      .default(false)
      .meta({ description: 'True: the Bot API server is on this host and may name files on it.' }),
    mode: z.enum(['polling', 'webhook']).default('polling').meta({
      description: 'How updates come. Polling needs no public address; webhook needs the section below.',
    }),
    webhook: webhook.optional(),
    allowed_users: z.array(userId).default([]).meta({
      description: 'Numeric user ids that may write; "*" is everyone. Environment: TELEGRAM_ALLOWED_USERS.',
    }),
    allowed_chats: z.array(chatId).default([]).meta({ description: 'Chats in which everybody may write.' }),
    home_channel: homeChannel.optional().meta({
      description:
        'Where messages go that name no chat, with a topic behind a colon. Environment: TELEGRAM_HOME_CHANNEL.',
      examples: ['-1001234567890'],
    }),
  })
  .refine(hasTokenIfOn, { path: ['token'], message: `expected ${tokenAdvice}` })
  .refine(({ mode, webhook: hook }) => mode !== 'webhook' || hook?.url !== undefined, {
    path: ['webhook', 'url'],
    message:
      'expected the URL under which Telegram reaches the gateway; write one like https://bot.example.org/telegram, or `mode: polling`',
  })
  .refine(({ mode, webhook: hook }) => mode !== 'webhook' || hook?.secret !== undefined, {
    path: ['webhook', 'secret'],
    message:
      'expected a secret, as without one anybody could pass for Telegram; make one with `openssl rand -hex 32`',
  });

export type TelegramSection = z.output<typeof telegramSection>;
