/** Complaints begin with `expected …`; what to write instead follows behind a semicolon. */

import * as z from 'zod';
import { commonFields, idText } from '../kit/section.js';
import { parseId } from './ids.js';

const personAdvice =
  'a phone number with its country code; write it in quotes, like "+15550100001", or "*" for everyone';

const toId = (text: string): string => parseId(text) ?? text;

const person = idText
  .refine((id) => id === '*' || (parseId(id) !== undefined && !id.endsWith('@g.us')), {
    message: `expected ${personAdvice}`,
  })
  .transform(toId);

const chat = idText
  .refine((id) => id === '*' || parseId(id) !== undefined, {
    message:
      'expected the id of a group like "120363000000000001@g.us", or "*" for every chat; /whoami in the group tells it',
  })
  .transform(toId);

const home = idText
  .refine((id) => parseId(id) !== undefined, {
    message:
      'expected a phone number or the id of a group; write "+15550100001" or "120363000000000001@g.us"',
  })
  .transform(toId);

const defaultSocket = 'wss://web.whatsapp.com/ws/chat';

const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

const common = commonFields({ groups: 'groups', signs: '👀 while working, then ✅ or ❌' });

export const whatsappSection = z
  .object({
    ...common,
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'Default: false. Link an account first. Environment: WHATSAPP_ENABLED.' }),
    streaming: z.boolean().default(false).meta({
      description:
        'Show an answer while it is written. Each change is a message to WhatsApp, and is marked “edited”.',
    }),
    mode: z.enum(['bot', 'self-chat']).default('bot').meta({
      description: 'bot: a number of its own. self-chat: your own number, and you write to yourself.',
    }),
    read_receipts: z
      .boolean()
      .default(false)
      .meta({ description: 'Mark messages that are taken up as read.' }),
    socket_url: z
      .url({ protocol: /^wss?$/u, message: 'expected a URL like ws://127.0.0.1:9003/ws/chat' })
      .default(defaultSocket)
      .meta({ description: 'A proxy to WhatsApp, or a test server.' }),
    trust_root: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/u, { message: 'expected 32 bytes in base64; a test server tells its own' })
      .optional()
      .meta({ description: 'Root key of a test server on this host, instead of WhatsApp’s.' }),
    allowed_users: z.array(person).default([]).meta({
      description: 'Numbers that may write; "*" is everyone. Environment: WHATSAPP_ALLOWED_USERS.',
    }),
    allowed_chats: z.array(chat).default([]).meta({ description: 'Groups in which everybody may write.' }),
    home_channel: home.optional().meta({
      description: 'Where messages go that name no chat. Environment: WHATSAPP_HOME_CHANNEL.',
      examples: ['+15550100001'],
    }),
  })
  .refine(({ trust_root: root, socket_url: url }) => root === undefined || isLoopback(url), {
    path: ['trust_root'],
    message:
      'expected no key of one’s own, as socket_url is not on this host; remove trust_root, or set socket_url to a server on 127.0.0.1',
  });

export type WhatsAppSection = z.output<typeof whatsappSection>;
