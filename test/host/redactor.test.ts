import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/host/redactor.js';

const token = '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const odd = 'pä"ss\\wörd/with spaces';

describe('configured secrets', () => {
  const redact = createRedactor(['plain-secret-1', odd, 'plain-secret-12345', 'x']);

  test.each([
    ['as they are', 'key plain-secret-1, again plain-secret-1', 'key ***, again ***'],
    ['the longer one first', 'plain-secret-12345', '***'],
    ['with characters that mean something to patterns', `a ${odd} b`, 'a *** b'],
    ['inside JSON', JSON.stringify({ a: odd }), '{"a":"***"}'],
    ['inside JSON inside JSON', JSON.stringify(JSON.stringify({ a: odd })), '"{\\"a\\":\\"***\\"}"'],
    ['inside a URL', `https://h/?q=${encodeURIComponent(odd)}&r=1`, 'https://h/?q=***&r=1'],
    ['but not what is too short to be one', 'x marks the text', 'x marks the text'],
  ])('are removed %s', (_, text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe('what looks like a secret', () => {
  const redact = createRedactor([]);

  test.each([
    [`https://api.telegram.org/bot${token}/getMe failed`, 'https://api.telegram.org/bot***/getMe failed'],
    [`bot${encodeURIComponent(token)}/getMe`, 'bot***/getMe'],
    ['key sk-proj-abcdefghijklmnop123', 'key ***'],
    ['Authorization: Bearer abcdefghijklmnop.qrst', 'Authorization: Bearer ***'],
    ['ghp_abcdefghijklmnopqrstuvwx', '***'],
  ])('is removed from %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  test.each([
    'chat -1001234567890:17 at 2026-01-01T12:00:00.000Z',
    'task-list-with-a-long-name-indeed',
    'the bearer of this message',
    'trn_01m8q7f0dk0awv893p3nswqmw',
    'web page listening at http://127.0.0.1:8642/',
  ])('is not seen in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

test('redacting twice changes nothing more', () => {
  const redact = createRedactor(['plain-secret-1']);
  const once = redact(`plain-secret-1 ${token} Bearer abcdefghijklmnopqrst`);
  expect(redact(once)).toBe(once);
});
