import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { telegramSection } from '../../../src/adapters/telegram/config.js';
import { telegram } from '../../../src/adapters/telegram/index.js';

const token = '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const problemsOf = (section: object): readonly string[] =>
  telegramSection
    .safeParse(section)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('the telegram section', () => {
  test('needs nothing but a token', () => {
    expect(telegramSection.parse({ token })).toEqual({
      token,
      api_root: 'https://api.telegram.org',
      local_api: false,
      mode: 'polling',
      allowed_users: [],
      allowed_chats: [],
      require_mention: true,
      streaming: true,
      tool_progress: 'new',
      reactions: false,
    });
  });

  test('takes ids as text and as exact numbers', () => {
    const section = telegramSection.parse({
      allowed_users: [12345, '67890', '*'],
      allowed_chats: ['-1001', -1002],
    });
    expect(section.allowed_users).toEqual(['12345', '67890', '*']);
    expect(section.allowed_chats).toEqual(['-1001', '-1002']);
    expect(telegramSection.parse({ home_channel: -100123 }).home_channel).toBe('-100123');
    expect(telegramSection.parse({ home_channel: '-100123:17' }).home_channel).toBe('-100123:17');
  });

  test.each<[string, object, RegExp]>([
    ['a number that lost digits', { allowed_users: [2 ** 60] }, /^allowed_users\.0: .*quote it/],
    ['a home channel that lost digits', { home_channel: -(2 ** 60) }, /^home_channel: .*quote it/],
    ['a user name', { allowed_users: ['@ada'] }, /^allowed_users\.0: .*numeric user id/],
    ['a broken token', { token: 'not a token' }, /^token: .*@BotFather/],
    ['a switched-on platform without a token', { enabled: true }, /^token: .*TELEGRAM_BOT_TOKEN/],
    ['a root that is no URL', { api_root: 'localhost' }, /^api_root: .*URL/],
    ['an unknown mode', { mode: 'push' }, /^mode: /],
  ])('says what is wrong with %s', (_, section, expected) => {
    expect(problemsOf(section)).toEqual([expect.stringMatching(expected)]);
  });

  test('a problem with the token does not show it', () => {
    expect(problemsOf({ token: 'secret token' }).join()).not.toContain('secret token');
  });

  test('a root may end with a slash', () => {
    expect(telegramSection.parse({ api_root: 'http://127.0.0.1:9001/' }).api_root).toBe(
      'http://127.0.0.1:9001',
    );
  });

  test('describes itself as JSON Schema', () => {
    const schema = z.toJSONSchema(telegramSection, { io: 'input' });
    expect(Object.keys(schema.properties ?? {})).toContain('allowed_users');
    expect(schema.required ?? []).toEqual([]);
  });
});

describe('the telegram definition', () => {
  const parse = (section: object) => telegram.section.parse(section);

  test('is on with a token unless it is switched off', () => {
    expect(telegram.isEnabled(parse({ token }))).toBe(true);
    expect(telegram.isEnabled(parse({ token, enabled: false }))).toBe(false);
    expect(telegram.isEnabled(parse({}))).toBe(false);
    expect(telegram.isEnabled(parse({ token: '' }))).toBe(false);
  });

  test('names keys of its section only', () => {
    const keys = Object.keys(telegramSection.shape);
    expect(keys).toEqual(
      expect.arrayContaining([...Object.values(telegram.environment), ...telegram.secretKeys]),
    );
  });

  test('says who may write', () => {
    expect(telegram.access(parse({ allowed_users: ['1'], allowed_chats: ['-2'] }))).toEqual({
      users: ['1'],
      chats: ['-2'],
    });
  });
});
