import { describe, expect, test } from 'vitest';
import { defaultMatrix } from '../../src/core/permission.js';
import { type PermissionSettings, policyFor } from '../../src/core/permission-settings.js';

const settings = (changes: Partial<PermissionSettings> = {}): PermissionSettings => ({
  level: 'auto',
  matrix: defaultMatrix,
  timeoutMs: 30_000,
  platforms: {},
  roles: {},
  chats: {},
  jobs: {},
  ...changes,
});

const here = {
  platform: 'matrix',
  roles: ['owner', 'matrix:admins'],
  chats: ['matrix:c1', 'matrix:c0'],
  jobs: ['j1', 'backup'],
};

describe('what holds for a caller', () => {
  test('is what the settings say where nothing fits', () => {
    const elsewhere = { level: 'full-access' } as const;
    const changes = {
      platforms: { other: elsewhere },
      roles: { guest: elsewhere, 'other:admins': elsewhere },
      chats: { 'other:c1': elsewhere, c1: elsewhere },
      jobs: { j2: elsewhere },
    };
    expect(policyFor(settings(changes), here)).toEqual({ level: 'auto', matrix: defaultMatrix });
  });

  test.each([
    ['a platform', { platforms: { matrix: { level: 'safe' } } }],
    ['a role', { roles: { owner: { level: 'safe' } } }],
    ['a role of the platform', { roles: { 'matrix:admins': { level: 'safe' } } }],
    ['a chat', { chats: { 'matrix:c1': { level: 'safe' } } }],
    ['a chat by the id that it had', { chats: { 'matrix:c0': { level: 'safe' } } }],
    ['a job by its id', { jobs: { j1: { level: 'safe' } } }],
    ['a job by its name', { jobs: { backup: { level: 'safe' } } }],
  ] as const)('is changed by %s', (_what, changes) => {
    expect(policyFor(settings(changes), here).level).toBe('safe');
  });

  test('is what the narrowest says: platform, role, chat, job', () => {
    const all = {
      platforms: { matrix: { level: 'safe' } },
      roles: { owner: { level: 'full-access' } },
      chats: { 'matrix:c1': { level: 'auto' } },
      jobs: { j1: { level: 'safe' } },
    } as const;
    const levels = [
      policyFor(settings(all), { ...here, roles: [], chats: [], jobs: [] }),
      policyFor(settings(all), { ...here, chats: [], jobs: [] }),
      policyFor(settings(all), { ...here, jobs: [] }),
      policyFor(settings(all), here),
    ].map(({ level }) => level);
    expect(levels).toEqual(['safe', 'full-access', 'auto', 'safe']);
  });

  test('changes single cells and keeps the rest', () => {
    const changes = {
      platforms: { matrix: { matrix: { auto: { write: 'confirm' } } } },
      chats: { 'matrix:c1': { matrix: { auto: { system: 'deny' } } } },
    } as const;
    expect(policyFor(settings(changes), here).matrix.auto).toEqual({
      read: 'auto',
      write: 'confirm',
      system: 'deny',
      finance: 'confirm',
    });
  });

  test('of several roles the last in the settings wins', () => {
    const roles = { 'matrix:admins': { level: 'full-access' }, owner: { level: 'safe' } } as const;
    expect(policyFor(settings({ roles }), here).level).toBe('safe');
  });
});
