import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../src/core/grant.js';
import { toGrantId, toSessionId } from '../../../src/core/ids.js';
import { approve } from '../../../src/gateway/commands/approve.js';
import type { CommandContext } from '../../../src/gateway/commands/command.js';
import { deny } from '../../../src/gateway/commands/deny.js';
import { permissions } from '../../../src/gateway/commands/permissions.js';

const aGrant = (name: string, over: Partial<Grant> = {}): Grant => ({
  id: toGrantId(name),
  holder: 'fake:u1',
  tool: 'terminal',
  title: 'Terminal',
  category: 'system',
  keys: ['git'],
  label: 'commands of git',
  grantedBy: 'fake:u1',
  grantedAt: 0,
  ...over,
});

const createBench = (changes: Partial<CommandContext> = {}) => {
  const done: unknown[][] = [];
  const context = {
    isOwner: false,
    timezone: 'UTC',
    grants: () => [aGrant('g1'), aGrant('g2', { session: toSessionId('s1'), label: 'a`b\u202e' })],
    revokeGrant: async ({ id }: Grant) => {
      done.push(['revoke', id]);
      return true;
    },
    grantToJob: async (...given: unknown[]) => void done.push(['grant', ...given]),
    answerRequest: async (...given: unknown[]) => {
      done.push(['answer', ...given]);
      return 'Done.';
    },
    jobs: {
      find: async (name: string) =>
        name === 'backup'
          ? { ok: true, job: { id: 'j1', name } }
          : { ok: false, reason: 'not-found', problem: `There is no job ${name}.` },
    },
    ...changes,
  };
  // A command uses of its context what it is about.
  const said = (command: typeof permissions, args: string) =>
    command.run({ ...context, args } as unknown as CommandContext);
  return { said, done };
};

describe('/permissions', () => {
  test('lists what no longer asks, for an owner with whose it is', async () => {
    const own = await createBench().said(permissions, '');
    expect(own).toContain('1. `terminal`: `commands of git` (since');
    expect(own).toContain('2. `terminal`: `aˋb⟨U+202E⟩`, in its conversation only');
    expect(await createBench({ isOwner: true }).said(permissions, 'list')).toContain('for `fake:u1`');
    expect(await createBench({ grants: () => [] }).said(permissions, '')).toContain('Nothing is allowed');
  });

  test('takes back by place or id, and says what it does not know', async () => {
    const { said, done } = createBench();
    expect(await said(permissions, 'revoke 2')).toContain('Taken back');
    expect(await said(permissions, 'revoke g1')).toContain('Taken back');
    expect(await said(permissions, 'revoke 9')).toContain('There is no `9`');
    expect(await said(permissions, 'forget 1')).toContain('/permissions revoke 1');
    expect(done).toEqual([
      ['revoke', 'g2'],
      ['revoke', 'g1'],
    ]);
  });

  test('lets an owner allow something to a job, by tool and key', async () => {
    const { said, done } = createBench({ isOwner: true });
    expect(await said(permissions, 'grant backup terminal git rsync')).toContain('`git`, `rsync`');
    expect(await said(permissions, 'grant backup terminal')).toContain('Say what');
    expect(await said(permissions, 'grant nothing terminal git')).toBe('There is no job nothing.');
    expect(await said(permissions, 'grant backup')).toContain('JOB TOOL KEY');
    expect(done).toEqual([['grant', 'j1', 'terminal', ['git', 'rsync']]]);
    const guest = createBench();
    expect(await guest.said(permissions, 'grant backup terminal git')).toContain('Only an owner');
    expect(guest.done).toEqual([]);
  });
});

describe('an answer by the code of a card', () => {
  test.each([
    [approve, 'K7QX', ['answer', 'K7QX', 'once', undefined]],
    [approve, 'k7qx session', ['answer', 'k7qx', 'session', undefined]],
    [approve, 'K7QX ALWAYS', ['answer', 'K7QX', 'always', undefined]],
    [deny, 'K7QX', ['answer', 'K7QX', 'deny', undefined]],
    [deny, 'K7QX  not now,\nplease ', ['answer', 'K7QX', 'deny', 'not now,\nplease']],
  ] as const)('%# is passed on', async (command, args, answer) => {
    const { said, done } = createBench();
    expect(await said(command, args)).toBe('Done.');
    expect(done).toEqual([[...answer]]);
  });

  test.each([
    [approve, ''],
    [approve, '1'],
    [approve, 'K7QX for ever'],
    [approve, 'K7QX once more'],
    [deny, ''],
    [deny, 'because'],
  ] as const)('%# is none, and it says how to write it', async (command, args) => {
    const { said, done } = createBench();
    expect(await said(command, args)).toContain('Write `/');
    expect(done).toEqual([]);
  });
});
