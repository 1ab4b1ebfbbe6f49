import { describe, expect, test } from 'vitest';
import { webSection } from '../../../src/adapters/web/config.js';
import { web } from '../../../src/adapters/web/index.js';

const problems = (section: unknown) =>
  webSection.safeParse(section).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];

const secret = 'a-long-secret-token';

describe('the web section', () => {
  test('is complete when it is empty', () => {
    const section = webSection.parse({});
    expect(section).toEqual({ host: '127.0.0.1', port: 8642, max_body_bytes: 26_214_400, allowed_hosts: [] });
    expect(web.isEnabled(section)).toBe(true);
    expect(web.isEnabled(webSection.parse({ enabled: false }))).toBe(false);
    expect(web.access(section)).toEqual({ users: ['owner'], owners: ['owner'], chats: [] });
  });

  test.each(['0.0.0.0', '192.168.1.4', '::', 'gateway.example.org'])(
    'asks for a token where other hosts can reach %s',
    (host) => {
      expect(problems({ host })).toEqual([
        expect.stringMatching(/^token: expected a secret: write `token: /u),
      ]);
      expect(problems({ host, token: secret })).toEqual([]);
    },
  );

  test.each(['127.0.0.1', '127.3.2.1', 'localhost', '::1', '[::1]'])('asks for none on %s', (host) => {
    expect(problems({ host })).toEqual([]);
  });

  test('asks for a token where a proxy opens the page', () => {
    expect(problems({ allowed_hosts: ['chat.example.org'] })).toEqual([expect.stringMatching(/^token: /u)]);
  });

  test.each(['undefined', 'changeme', 'short', 'with a space inside'])('refuses the token %j', (token) => {
    expect(problems({ token })).toEqual([expect.stringMatching(/^token: expected /u)]);
  });

  test('takes an empty token for none', () => {
    expect(webSection.parse({ token: '' }).token).toBeUndefined();
  });

  test.each(['https://chat.example.org', 'a b', 'host/path', ''])('refuses the host name %j', (name) => {
    expect(problems({ token: secret, allowed_hosts: [name] })).toEqual([
      expect.stringMatching(/^allowed_hosts.0: expected a host name/u),
    ]);
  });
});
