import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/pairing.js';
import { CommandFailure, UsageError } from '../../../src/cli/edge.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const pairing = { platform: 'web', user: 'u1', displayName: 'Ada', approvedAt: 0 };

describe('wrong usage', () => {
  test.each([
    [[]],
    [['invite']],
    [['list', 'web']],
    [['approve', 'web']],
    [['approve', 'web', 'ABCD2345', 'more']],
    [['revoke', 'web']],
    [['list', '--force']],
  ])('%j', async (args) => {
    await expect(run(args, new FakeEdge())).rejects.toBeInstanceOf(UsageError);
  });
});

describe('with the gateway up', () => {
  test('lists who waits and who is in, for people and for programs', async () => {
    const edge = new FakeEdge();
    const waiting = { platform: 'web', user: 'u2', displayName: 'Ben', requestedAt: 0, expiresAt: 0 };
    const body = { pending: [waiting], paired: [pairing] };
    gateway = await answerOnSocket(edge.home, { status: 200, body });
    expect(await run(['list'], edge)).toBe(0);
    expect(edge.out).toMatch(/^waiting\tweb\tu2\tBen\t.*\nlet in\tweb\tu1\tAda\t.* ago\n$/);
    const json = new FakeEdge({ home: edge.home });
    expect(await run(['list', '--json'], json)).toBe(0);
    expect(JSON.parse(json.out)).toEqual(body);
  });

  test('approves and revokes through it', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { pairing } });
    expect(await run(['approve', 'web', 'abcd-2345'], edge)).toBe(0);
    expect(await run(['revoke', 'web', 'u1'], edge)).toBe(0);
    expect(gateway.asked).toEqual([
      { method: 'POST', path: '/api/pairings/approve', body: { platform: 'web', code: 'abcd-2345' } },
      { method: 'POST', path: '/api/pairings/revoke', body: { platform: 'web', user: 'u1' } },
    ]);
    expect(edge.err).toContain('Ada (u1) may now write');
  });

  test('says why it refused', async () => {
    const edge = new FakeEdge();
    const body = { error: { code: 'too-many-attempts', message: 'Too many wrong codes.' } };
    gateway = await answerOnSocket(edge.home, { status: 429, body });
    const approval = run(['approve', 'web', 'ABCD2345'], edge);
    await expect(approval).rejects.toThrow(new CommandFailure('Too many wrong codes.'));
  });
});

describe('with the gateway down', () => {
  test('works on the store itself', async () => {
    const edge = new FakeEdge();
    expect(await run(['list', '--json'], edge)).toBe(0);
    expect(JSON.parse(edge.out)).toEqual({ pending: [], paired: [] });
    await expect(run(['approve', 'web', 'ABCD2345'], edge)).rejects.toThrow('no valid code');
    await expect(run(['approve', 'weeb', 'ABCD2345'], edge)).rejects.toThrow("No platform is called 'weeb'");
    await expect(run(['revoke', 'web', 'u1'], edge)).rejects.toThrow("No user 'u1'");
  });
});
