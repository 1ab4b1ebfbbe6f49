import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.js';

test.each([
  ['allowed_user', 'allowed_users'],
  ['alowed_users', 'allowed_users'],
  ['allowed-users', 'allowed_users'],
  ['Token', 'token'],
  ['tokne', 'token'],
  ['enbaled', 'enabled'],
  ['completely_else', undefined],
  ['x', undefined],
])('%s probably means %s', (name, meant) => {
  expect(nearest(name, ['enabled', 'token', 'allowed_users', 'mode'])).toBe(meant);
});

test('the nearest of several is given, and the first of equals', () => {
  expect(nearest('stauts', ['stat', 'status'])).toBe('status');
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
});
