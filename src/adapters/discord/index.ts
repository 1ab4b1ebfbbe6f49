import { ConfigError } from '../../core/errors.js';
import type { PlatformDefinition } from '../../core/platform-definition.js';
import { type DiscordSection, discordSection } from './config.js';
import { discordId, parseAddress } from './ids.js';

const connectHint = [
  'Discord: make an application at https://discord.com/developers/applications, open its Bot page, switch on “Message Content Intent”, and copy the token (Reset Token).',
  'Then set DISCORD_BOT_TOKEN to that token, start again, and write to your bot in private: it answers with your id and a code to be let in by.',
].join('\n');

const missingToken = () =>
  new ConfigError('invalid-settings', [
    {
      path: 'platforms.discord.token',
      expected: 'a bot token',
      got: 'nothing',
      advice: 'Copy one from the Bot page of your application, and set DISCORD_BOT_TOKEN.',
    },
  ]);

export const discord: PlatformDefinition<DiscordSection> = {
  id: discordId,
  title: 'Discord',
  section: discordSection,
  environment: {
    DISCORD_BOT_TOKEN: 'token',
    DISCORD_ALLOWED_USERS: 'allowed_users',
    DISCORD_HOME_CHANNEL: 'home_channel',
  },
  secretKeys: ['token'],
  isEnabled: ({ enabled, token }) => enabled ?? token !== undefined,
  access: ({ allowed_users, allowed_channels, allowed_roles }) => ({
    users: allowed_users,
    chats: allowed_channels,
    roles: allowed_roles,
  }),
  parseAddress,
  connectHint,
  probe: {
    address: ({ api_root }) => api_root,
    async identify({ token, api_root: apiRoot }, { clock }, { signal }) {
      if (token === undefined) throw missingToken();
      const { identify } = await import('./identify.js');
      return identify({ token, apiRoot, clock }, { signal });
    },
  },
  async create(section, ports) {
    const { token } = section;
    if (token === undefined) throw missingToken();
    const { createDiscord } = await import('./adapter.js');
    return createDiscord({ ...section, token }, ports);
  },
};
