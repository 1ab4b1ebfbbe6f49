import { ConfigError } from '../../core/errors.js';
import type { PlatformDefinition } from '../../core/platform-definition.js';
import { type TelegramSection, telegramSection } from './config.js';
import { parseAddress, telegramId } from './ids.js';

const connectHint = [
  'Telegram: write to @BotFather in Telegram, send /newbot, choose a name, and copy the token it answers with.',
  'Then set TELEGRAM_BOT_TOKEN to that token, start again, and write to your bot: it answers with your id and a code to be let in by.',
].join('\n');

const missingToken = () =>
  new ConfigError('invalid-settings', [
    {
      path: 'platforms.telegram.token',
      expected: 'a bot token',
      got: 'nothing',
      advice: 'Get one from @BotFather and set TELEGRAM_BOT_TOKEN.',
    },
  ]);

export const telegram: PlatformDefinition<TelegramSection> = {
  id: telegramId,
  title: 'Telegram',
  section: telegramSection,
  environment: {
    TELEGRAM_BOT_TOKEN: 'token',
    TELEGRAM_ALLOWED_USERS: 'allowed_users',
    TELEGRAM_HOME_CHANNEL: 'home_channel',
  },
  secretKeys: ['token'],
  isEnabled: ({ enabled, token }) => enabled ?? token !== undefined,
  access: ({ allowed_users, allowed_chats }) => ({ users: allowed_users, chats: allowed_chats }),
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
  listensAt: ({ mode, webhook }) =>
    mode === 'webhook' && webhook !== undefined
      ? { host: webhook.host, port: webhook.port, setting: 'webhook.port' }
      : undefined,
  async create(section, ports) {
    const { token } = section;
    if (token === undefined) throw missingToken();
    const { createTelegram } = await import('./adapter.js');
    return createTelegram({ ...section, token }, ports);
  },
};
