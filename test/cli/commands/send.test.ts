import { afterEach, describe, expect, test } from 'vitest';
import { run, runSend } from '../../../src/cli/commands/send.js';
import { UsageError } from '../../../src/cli/edge.js';
import type { SendRequest } from '../../../src/cli/send-alone.js';
import type { ToolDelivery } from '../../../src/core/tool.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const sent: ToolDelivery = { target: 'web:main', state: 'sent', detail: '17 18' };
const failed: ToolDelivery = { target: 'web:other', state: 'failed', detail: 'There is no such chat.' };
const unknown: ToolDelivery = { target: 'web:third', state: 'unknown', detail: 'The connection was cut.' };

describe('wrong usage', () => {
  test.each([
    ['no target', ['hello'], undefined],
    ['an empty target', ['--to', '', 'hello'], undefined],
    ['a bad target', ['--to', 'Not A Target', 'hello'], undefined],
    ['origin', ['--to', 'origin', 'hello'], undefined],
    ['origin among others', ['--to', 'web:main,origin', 'hello'], undefined],
    ['no text at a terminal', ['--to', 'web:main'], undefined],
    ['an empty text', ['--to', 'web:main', ' \n'], undefined],
    ['an empty text by stdin', ['--to', 'web:main', '-'], '\n'],
    ['two texts', ['--to', 'web:main', 'hello', 'world'], undefined],
  ])('%s', async (_, args, stdin) => {
    const edge = new FakeEdge(stdin === undefined ? {} : { stdin });
    await expect(run(args, edge)).rejects.toBeInstanceOf(UsageError);
  });
});

test('--file is not built yet', async () => {
  await expect(run(['--to', 'web:main', '--file', 'a.png', 'hello'], new FakeEdge())).rejects.toThrow(
    'not yet',
  );
});

describe('with the gateway up', () => {
  test.each([
    ['an argument', ['hello there'], undefined, 'hello there'],
    ['stdin by a dash', ['-'], 'from a pipe\n', 'from a pipe\n'],
    ['stdin by itself', [], 'from a pipe\n', 'from a pipe\n'],
    ['an argument that looks like an option', ['--', '--help'], undefined, '--help'],
  ])('sends the text of %s', async (_, words, stdin, text) => {
    const edge = new FakeEdge(stdin === undefined ? {} : { stdin });
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [sent] } });
    expect(await run(['--to', 'web:main', ...words], edge)).toBe(0);
    expect(gateway.asked).toEqual([
      {
        method: 'POST',
        path: '/api/deliveries',
        body: { to: 'web:main', text, key: expect.stringMatching(/^cli:./) },
      },
    ]);
    expect(edge.out).toBe('web:main\t17 18\n');
    expect(edge.err).toBe('');
  });

  test.each([
    [[sent, failed], 'web:main\t17 18\n', 'web:other: not sent: There is no such chat.\n'],
    [[unknown], '', 'web:third: it is unknown whether it was sent: The connection was cut.\n'],
    [[], '', ''],
  ])('exits 1 unless every target has its receipt (%#)', async (deliveries, out, err) => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries } });
    expect(await run(['--to', 'web:main,web:other', 'hello'], edge)).toBe(1);
    expect([edge.out, edge.err]).toEqual([out, err]);
  });

  test('--json tells the outcome to programs', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [sent, failed] } });
    expect(await run(['--json', '--to', 'web:main', 'hello'], edge)).toBe(1);
    expect(JSON.parse(edge.out)).toEqual({ deliveries: [sent, failed] });
  });

  test.each([
    [{ error: { code: 'invalid-request', message: 'The text is too long.' } }, 'The text is too long.'],
    ['not JSON at all', 'a way that this version does not understand'],
  ])('a refusal is told (%#)', async (body, words) => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 400, body });
    await expect(run(['--to', 'web:main', 'hello'], edge)).rejects.toThrow(words);
  });
});

test('with the gateway down it sends by itself, with a key of its own each time', async () => {
  const requests: SendRequest[] = [];
  for (const code of [0, 0]) {
    const edge = new FakeEdge();
    const alone = async (request: SendRequest) => {
      requests.push(request);
      return [sent];
    };
    expect(await runSend(['--to', 'web:main', 'hello'], edge, { alone })).toBe(code);
    expect(edge.out).toBe('web:main\t17 18\n');
  }
  expect(requests).toEqual([
    expect.objectContaining({ targets: 'web:main', text: 'hello' }),
    expect.objectContaining({ targets: 'web:main', text: 'hello' }),
  ]);
  expect(requests[0]?.key).not.toBe(requests[1]?.key);
});
