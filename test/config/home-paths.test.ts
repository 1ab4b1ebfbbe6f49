import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHome, expandPath, locateHome } from '../../src/config/home-paths.js';

test.each([
  [{}, join(homedir(), '.hermes')],
  [{ HERMES_HOME: '' }, join(homedir(), '.hermes')],
  [{ HERMES_HOME: '~/other' }, join(homedir(), 'other')],
  [{ HERMES_HOME: '/srv/hermes/' }, '/srv/hermes'],
  [{ HERMES_HOME: 'here' }, join(process.cwd(), 'here')],
])('%j puts the home at %s', (environment, home) => {
  expect(locateHome(environment)).toMatchObject({
    home,
    settingsFile: join(home, 'config.yaml'),
    envFile: join(home, '.env'),
    socket: join(home, 'gateway.sock'),
  });
});

test('only a tilde that stands alone means the own folder', () => {
  expect(expandPath('~', '/base')).toBe(homedir());
  expect(expandPath('~other/x', '/base')).toBe('/base/~other/x');
});

test('a home whose socket no address can name is told with its limit', () => {
  const home = (bytes: number) => locateHome({ HERMES_HOME: `/${'a'.repeat(bytes - 1)}` });
  expect(checkHome(home(90))).toBeUndefined();
  expect(checkHome(home(91))).toMatchObject({
    path: 'HERMES_HOME',
    expected: expect.stringContaining('at most 90 bytes'),
    got: expect.stringMatching(/^\/a+ \(91 bytes\)$/u),
    advice: expect.stringContaining('or a link'),
  });
  // Bytes count, not characters.
  expect(checkHome(locateHome({ HERMES_HOME: `/${'é'.repeat(50)}` }))).toBeDefined();
});
