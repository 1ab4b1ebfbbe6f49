/** Complaints begin with `expected …`; what to write instead follows behind a semicolon. */

import * as z from 'zod';
import { apiRoot, commonFields, hasTokenIfOn, idText } from '../kit/section.js';

const tokenAdvice =
  'a bot token; copy it from the Bot page of your application at discord.com/developers, and set DISCORD_BOT_TOKEN to it';

const idOrAll = (what: string, all: string) =>
  idText.refine((id) => id === '*' || /^\d{1,20}$/u.test(id), {
    message: `expected the numeric id of ${what}, or "*" for ${all}; switch on Developer Mode in Discord, then right-click and Copy ID`,
  });

const userId = idOrAll('a person', 'everyone');
const channelId = idOrAll('a channel', 'every channel');
const roleId = idText.refine((id) => /^\d{1,20}$/u.test(id), {
  message:
    'expected the numeric id of a role; switch on Developer Mode, then right-click the role and Copy ID',
});

const homeChannel = idText.refine((id) => /^\d{1,20}(?::\d{1,20})?$/u.test(id), {
  message: 'expected a channel id, or a channel and a thread; write "112233445566778899" or "112…:998…"',
});

const token = z
  .string()
  .trim()
  .transform((text) => text.replace(/^Bot\s+/iu, ''))
  .refine((text) => !/\s/u.test(text), { message: `expected ${tokenAdvice}` })
  .transform((text) => (text === '' ? undefined : text));

export const discordSection = z
  .object({
    ...commonFields({ groups: 'servers', signs: '👀 while working, then ✅ or ❌' }),
    token: token
      .optional()
      .meta({ description: 'From the developer portal. Environment: DISCORD_BOT_TOKEN.' }),
    api_root: apiRoot('https://discord.com/api')
      .default('https://discord.com/api')
      .meta({ description: 'A proxy to the API, or a test server.' }),
    allowed_users: z.array(userId).default([]).meta({
      description: 'User ids that may write; "*" is everyone. Environment: DISCORD_ALLOWED_USERS.',
    }),
    allowed_roles: z
      .array(roleId)
      .default([])
      .meta({ description: 'Whoever has one of these roles may write in its server.' }),
    allowed_channels: z
      .array(channelId)
      .default([])
      .meta({ description: 'Channels in which everybody may write, with their threads.' }),
    free_response_channels: z
      .array(channelId)
      .default([])
      .meta({ description: 'Channels in which every message is meant for the bot; no threads are opened.' }),
    ignored_channels: z
      .array(channelId)
      .default([])
      .meta({ description: 'Channels that are never answered in, whoever writes.' }),
    auto_thread: z.boolean().default(true).meta({ description: 'Answer a mention in a thread of its own.' }),
    allow_bots: z.enum(['none', 'mentions', 'all']).default('none').meta({
      description: 'Whether other bots are answered. They are slowed down when they answer each answer.',
    }),
    mention_users: z.boolean().default(false).meta({
      description: 'Whether a name like @Ana in an answer notifies that person. @everyone never does.',
    }),
    home_channel: homeChannel.optional().meta({
      description:
        'Where messages go that name no chat, with a thread behind a colon. Environment: DISCORD_HOME_CHANNEL.',
      examples: ['112233445566778899'],
    }),
  })
  .refine(hasTokenIfOn, { path: ['token'], message: `expected ${tokenAdvice}` });

export type DiscordSection = z.output<typeof discordSection>;
