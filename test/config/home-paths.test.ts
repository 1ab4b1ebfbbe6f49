import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandPath, locateHome } from '../../src/config/home-paths.js';

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
