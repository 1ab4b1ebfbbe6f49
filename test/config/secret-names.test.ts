import { expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { hideSecrets, isSecretName, secretsIn } from '../../src/config/secret-names.js';

test.each(['token', 'api_key', 'OPENAI_API_KEY', 'TELEGRAM_BOT_TOKEN', 'secret', 'db_password'])(
  '%s names a secret',
  (name) => {
    expect(isSecretName(name)).toBe(true);
  },
);

test.each(['context_tokens', 'max_tokens', 'key', 'tokens', 'home_channel', 'secretary'])(
  '%s names no secret',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test('whatever a platform declares secret is named like a secret', () => {
  const keys = platforms.flatMap(({ secretKeys }) => secretKeys);
  expect(keys).not.toHaveLength(0);
  expect(keys.filter((key) => !isSecretName(key))).toEqual([]);
});

const settings = {
  model: { api_key: 'k1', base_url: 'http://user:pass@host/v1' },
  platforms: { a: { webhook: { secret: 's1' }, token: '', users: ['u'] } },
};

test('hides secrets at any depth, also inside URLs, and nothing else', () => {
  expect(hideSecrets(settings)).toEqual({
    model: { api_key: '***', base_url: 'http://user:***@host/v1' },
    platforms: { a: { webhook: { secret: '***' }, token: '', users: ['u'] } },
  });
});

test('finds every secret', () => {
  expect(secretsIn(settings)).toEqual(['k1', 'pass', 's1']);
});
