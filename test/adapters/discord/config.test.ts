import { describe, expect, test } from 'vitest';
import { discordSection } from '../../../src/adapters/discord/config.js';
import { accountOfToken, isLater, madeAt, parseAddress } from '../../../src/adapters/discord/ids.js';

const token = `${Buffer.from('900000000000000001').toString('base64url')}.ABCDEF.secret`;
const complaintsOf = (section: unknown): readonly string[] => {
  const result = discordSection.safeParse(section);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the settings', () => {
  test('default to answering when mentioned, in threads, pinging nobody', () => {
    expect(discordSection.parse({ token })).toMatchObject({
      token,
      api_root: 'https://discord.com/api',
      require_mention: true,
      auto_thread: true,
      allow_bots: 'none',
      mention_users: false,
      streaming: true,
    });
  });

  test('take a token with the word Bot before it', () => {
    expect(discordSection.parse({ token: `Bot ${token}` }).token).toBe(token);
  });

  test.each([
    [{ enabled: true }, 'token: expected a bot token'],
    [{ token: 'two words' }, 'token: expected a bot token'],
    [{ allowed_users: ['Ada#1234'] }, 'allowed_users.0: expected the numeric id of a person'],
    [{ allowed_users: [1300000000000000001n] }, 'allowed_users.0'],
    [{ allowed_users: [1.3e18] }, 'quote it'],
    [{ home_channel: '#general' }, 'home_channel: expected a channel id'],
    [{ api_root: 'discord.com' }, 'api_root: expected a URL'],
  ])('say what is wrong with %o', (section, complaint) => {
    expect(complaintsOf(section).join('\n')).toContain(complaint);
  });
});

describe('ids', () => {
  test('name the bot by its token', () => {
    expect(accountOfToken(token)).toBe('900000000000000001');
    expect(accountOfToken('nonsense')).toMatch(/^bot-[0-9a-f]{12}$/u);
    expect(accountOfToken('nonsense')).not.toBe(accountOfToken('other'));
  });

  test('tell when they were made, and which is later', () => {
    expect(new Date(madeAt('175928847299117063')).toISOString()).toBe('2016-04-30T11:18:25.796Z');
    expect(isLater('1000000000000000000', '999999999999999999')).toBe(true);
  });

  test('are read as addresses of channels and threads', () => {
    expect(parseAddress('112233445566778899')).toEqual({ chat: '112233445566778899' });
    expect(parseAddress('112233445566778899:998877665544332211')).toEqual({
      chat: '112233445566778899',
      thread: '998877665544332211',
    });
    for (const name of ['general', '#general', '112233445566778899:x'])
      expect(parseAddress(name)).toBeUndefined();
  });
});
