/**
 * Platforms of the contract that have no folder yet: their settings are checked for slips and otherwise kept, and
 * switching one on gives a warning. Once a definition claims the name, the entry here is no longer looked at.
 */
import * as z from 'zod';
import { ids } from './shapes.js';

export interface PlannedPlatform {
  readonly id: string;
  readonly title: string;
  readonly section: z.ZodType<{
    readonly enabled?: boolean | undefined;
    readonly token?: string | undefined;
  }>;
  readonly environment: Readonly<Record<string, string>>;
}

const common = {
  enabled: z.boolean().optional(),
  allowed_users: ids,
  home_channel: z.string().optional(),
  busy: z.enum(['steer', 'queue', 'interrupt']).optional(),
  streaming: z.boolean().optional(),
  toolsets: z.array(z.string().min(1)).optional(),
  require_mention: z.boolean().optional(),
};

const whatsapp: PlannedPlatform = {
  id: 'whatsapp',
  title: 'WhatsApp',
  section: z.object({
    ...common,
    socket_url: z
      .url({ protocol: /^wss?$/u, message: 'expected a URL like ws://127.0.0.1:9003/ws/chat' })
      .optional(),
    trust_root: z.string().optional(),
    mode: z.enum(['bot', 'self-chat']).optional(),
    allowed_chats: ids,
  }),
  environment: {
    WHATSAPP_ENABLED: 'enabled',
    WHATSAPP_ALLOWED_USERS: 'allowed_users',
    WHATSAPP_HOME_CHANNEL: 'home_channel',
  },
};

export const plannedPlatforms: readonly PlannedPlatform[] = [whatsapp];
