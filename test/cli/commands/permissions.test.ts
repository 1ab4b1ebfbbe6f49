import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/permissions.js';
import { CommandFailure, UsageError } from '../../../src/cli/edge.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const grant = {
  id: 'grt_1',
  holder: 'web:owner',
  tool: 'terminal',
  title: 'Terminal',
  category: 'system',
  keys: ['git'],
  label: 'commands\tof\u202e git',
  grantedBy: 'web:owner',
  grantedAt: 0,
};

test.each([[[]], [['grant']], [['list', 'all']], [['revoke']], [['list', '--force']]])(
  '%j is wrong usage',
  async (args) => {
    await expect(run(args, new FakeEdge())).rejects.toBeInstanceOf(UsageError);
  },
);

describe('with the gateway up', () => {
  test('lists what was allowed, for people and for programs', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { grants: [grant] } });
    expect(await run(['list'], edge)).toBe(0);
    expect(edge.out).toMatch(/^grt_1\tweb:owner\tterminal\tcommands of {2}git\talways\t.* ago\n$/);
    const json = new FakeEdge({ home: edge.home });
    expect(await run(['list', '--json'], json)).toBe(0);
    expect(JSON.parse(json.out)).toEqual({ grants: [grant] });
  });

  test('takes back through it', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { revoked: true } });
    expect(await run(['revoke', 'grt_1', 'grt_2'], edge)).toBe(0);
    expect(gateway.asked.map(({ method, path }) => [method, path])).toEqual([
      ['DELETE', '/api/grants/grt_1'],
      ['DELETE', '/api/grants/grt_2'],
    ]);
  });
});

describe('with the gateway down', () => {
  test('asks the home', async () => {
    const edge = new FakeEdge();
    expect(await run(['list', '--json'], edge)).toBe(0);
    expect(JSON.parse(edge.out)).toEqual({ grants: [] });
    await expect(run(['revoke', 'grt_9'], edge)).rejects.toBeInstanceOf(CommandFailure);
  });
});
