import { z } from 'zod';

const tokenShape = /^\d+:[\w-]+$/u;
const tokenAdvice =
  'a bot token like 123456:ABC-DEF as @BotFather gives it; set TELEGRAM_BOT_TOKEN or paste the whole token in quotes';

/** A number that YAML could not keep exactly has already lost the id that was meant. */
const idText = z
  .union([z.string(), z.number()])
  .superRefine((value, context) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      context.addIssue({
        code: 'custom',
        message:
          'expected an exact id, and a number this large is not kept exactly: quote it, like "1234567890123456789"',
      });
    }
  })
  .transform((value) => String(value).trim());

const userId = idText.refine((id) => id === '*' || /^\d+$/u.test(id), {
  message: 'expected a numeric user id or "*"; a name can change hands, so write the number in quotes',
});

const chatId = idText.refine((id) => id === '*' || /^-?\d+$/u.test(id), {
  message: 'expected a numeric chat id like "-1001234567890" or "*"',
});

const homeChannel = idText.refine((id) => /^-?\d+(?::\d+)?$/u.test(id), {
  message: 'expected a chat id like "-1001234567890", with a topic "-1001234567890:17"',
});

/** Environment variables give lists as text with commas. */
const listOf = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
    .transform((value): unknown[] =>
      Array.isArray(value)
        ? value
        : typeof value === 'string'
          ? value
              .split(',')
              .map((entry) => entry.trim())
              .filter((entry) => entry !== '')
          : [value],
    )
    .pipe(z.array(item));

const apiRoot = z
  .url({ protocol: /^https?$/u, message: 'expected a URL like https://api.telegram.org' })
  .transform((url) => url.replace(/\/+$/u, ''));

const token = z
  .string()
  .trim()
  .refine((text) => text === '' || tokenShape.test(text), { message: `expected ${tokenAdvice}` })
  .transform((text) => (text === '' ? undefined : text));

const mode = z.enum(['polling', 'webhook']).refine((value) => value === 'polling', {
  message: 'webhook is not available yet; write polling, or leave it out',
});

export const telegramSection = z
  .object({
    enabled: z.boolean().optional(),
    token: token.optional(),
    /** A Bot API server: Telegram's, one of your own, or a proxy. */
    api_root: apiRoot.default('https://api.telegram.org'),
    /** True: the Bot API server runs on this host and may hand out paths of files. */
    local_api: z.boolean().default(false),
    mode: mode.default('polling'),
    /** Kept for the webhook mode, which is not available yet. */
    webhook: z
      .object({
        url: z.string().optional(),
        port: z.number().int().optional(),
        secret: z.string().optional(),
      })
      .optional(),
    allowed_users: listOf(userId).default([]),
    allowed_chats: listOf(chatId).default([]),
    require_mention: z.boolean().default(true),
    home_channel: homeChannel.optional(),
    busy: z.enum(['steer', 'queue', 'interrupt']).optional(),
    streaming: z.boolean().default(true),
  })
  .superRefine((section, context) => {
    if (section.enabled === true && section.token === undefined) {
      context.addIssue({ code: 'custom', path: ['token'], message: `expected ${tokenAdvice}` });
    }
  });

export type TelegramSection = z.output<typeof telegramSection>;
