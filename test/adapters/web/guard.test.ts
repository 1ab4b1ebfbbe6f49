import { describe, expect, test } from 'vitest';
import { webSection } from '../../../src/adapters/web/config.js';
import { checkSource } from '../../../src/adapters/web/guard.js';

const open = webSection.parse({});
const closed = webSection.parse({
  host: '0.0.0.0',
  token: 'a-long-secret-token',
  allowed_hosts: ['chat.example.org', 'other.example.org:8443'],
});

const check = (
  headers: Readonly<Record<string, string>>,
  { section = open, method = 'POST', path = '/api/sessions/a/messages' } = {},
) =>
  checkSource({ method, path, localPort: 8642, header: (name) => headers[name] }, section)?.status ??
  'passes';

describe('the Host header', () => {
  test.each(['127.0.0.1:8642', 'localhost:8642', 'LOCALHOST:8642', '[::1]:8642', '127.1.2.3:8642'])(
    'passes as %s',
    (host) => {
      expect(check({ host })).toBe('passes');
    },
  );

  test.each([
    'evil.example:8642',
    'localhost.evil.example:8642',
    '127.0.0.1.evil.example:8642',
    '192.168.1.4:8642',
    'localhost:9999',
    'localhost',
    'localhost:8642@evil.example',
    'evil.example/localhost:8642',
    '',
  ])('is refused as %j while no token is set', (host) => {
    expect(check({ host })).toBe(403);
  });

  test.each([
    '192.168.1.4:8642',
    '[2001:db8::1]:8642',
    'localhost:80',
    'chat.example.org',
    'other.example.org:8443',
  ])('passes as %s with a token', (host) => {
    expect(check({ host }, { section: closed })).toBe('passes');
  });

  test.each(['evil.example', 'other.example.org', 'sub.chat.example.org'])(
    'is refused as %s with a token',
    (host) => {
      expect(check({ host }, { section: closed })).toBe(403);
    },
  );
});

describe('the Origin header', () => {
  const host = 'localhost:8642';

  test('passes as our own, and absent', () => {
    expect(check({ host, origin: 'http://localhost:8642' })).toBe('passes');
    expect(check({ host: 'chat.example.org', origin: 'https://chat.example.org' }, { section: closed })).toBe(
      'passes',
    );
  });

  test.each([
    'http://evil.example',
    'http://localhost:3000',
    'http://127.0.0.1:8642',
    'https://localhost',
    'null',
    'file://',
    'chrome-extension://abcdef',
  ])('is refused as %s, whatever the method', (origin) => {
    expect(check({ host, origin })).toBe(403);
    expect(check({ host, origin }, { method: 'GET' })).toBe(403);
  });
});

describe('the Sec-Fetch-Site header', () => {
  const host = 'localhost:8642';

  test.each(['same-origin', 'none'])('passes as %s', (site) => {
    expect(check({ host, 'sec-fetch-site': site })).toBe('passes');
  });

  test.each(['cross-site', 'same-site'])('is refused as %s', (site) => {
    expect(check({ host, 'sec-fetch-site': site })).toBe(403);
    expect(check({ host, 'sec-fetch-site': site }, { method: 'GET' })).toBe(403);
  });

  test('may be foreign for a link that leads to the page, and only there', () => {
    const link = {
      host,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(check(link, { method: 'GET', path: '/' })).toBe('passes');
    expect(check(link, { method: 'GET', path: '/api/sessions' })).toBe(403);
    expect(check({ ...link, 'sec-fetch-dest': 'iframe' }, { method: 'GET', path: '/' })).toBe(403);
  });
});
