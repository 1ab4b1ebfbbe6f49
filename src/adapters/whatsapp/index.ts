import type { PlatformDefinition } from '../../core/platform-definition.js';
import { type WhatsAppSection, whatsappSection } from './config.js';
import { parseAddress, whatsappId } from './ids.js';

const connectHint = [
  'WhatsApp: set WHATSAPP_ENABLED=true, run `hermes whatsapp login`, and scan the code it shows: in WhatsApp on the phone, Settings, Linked devices, Link a device.',
  'A number of its own is best. With your own number set platforms.whatsapp.mode to self-chat, and write to yourself.',
].join('\n');

export const whatsapp: PlatformDefinition<WhatsAppSection> = {
  id: whatsappId,
  title: 'WhatsApp',
  section: whatsappSection,
  environment: {
    WHATSAPP_ENABLED: 'enabled',
    WHATSAPP_ALLOWED_USERS: 'allowed_users',
    WHATSAPP_HOME_CHANNEL: 'home_channel',
  },
  secretKeys: [],
  isEnabled: ({ enabled }) => enabled === true,
  access: ({ allowed_users, allowed_chats }) => ({ users: allowed_users, chats: allowed_chats }),
  parseAddress,
  connectHint,
  async create(section, ports) {
    const { createWhatsApp } = await import('./adapter.js');
    return createWhatsApp(section, ports);
  },
};
