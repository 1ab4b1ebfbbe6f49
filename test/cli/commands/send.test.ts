import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { run, runSend } from '../../../src/cli/commands/send.js';
import { UsageError } from '../../../src/cli/edge.js';
import type { SendRequest } from '../../../src/cli/send-alone.js';
import { later, StoreError } from '../../../src/core/errors.js';
import type { ToolDelivery } from '../../../src/core/tool.js';
import { ManualClock } from '../../fakes/manual-clock.js';
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

describe('files', () => {
  const withFile = async (name: string) => {
    const edge = new FakeEdge();
    const path = join(edge.home, '..', `${randomUUID()}-${name}`);
    await writeFile(path, 'content');
    onTestFinished(() => rm(path, { force: true }));
    return { edge, path };
  };

  test('go as copies of what lies there now, with or without a text', async () => {
    const { edge, path } = await withFile('report.txt');
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [sent] } });
    expect(await run(['--to', 'web:main', '--file', path, '--file', path], edge)).toBe(0);
    const [asked] = gateway.asked;
    const { files, text } = (asked?.body ?? {}) as { files: { path: string }[]; text: string };
    expect(text).toBe('');
    expect(files).toHaveLength(2);
    expect(files[0]).toMatchObject({ fileName: basename(path), mimeType: 'text/plain', sizeBytes: 7 });
    expect(files[0]?.path).not.toBe(path);
    expect(await readFile(files[0]?.path ?? '', 'utf8')).toBe('content');
  });

  test.each([
    ['that are secret', '.env', 'it may not be sent'],
    ['that are not there', undefined, 'there is no such file'],
  ])('%s are refused before anything is sent', async (_, name, words) => {
    const { edge, path } = await withFile(name ?? 'gone.txt');
    const secret = name === undefined ? path : join(dirname(path), `x${randomUUID()}${name}`);
    if (name === undefined) await rm(path);
    else {
      await writeFile(secret, 'TOKEN=1');
      onTestFinished(() => rm(secret, { force: true }));
    }
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [sent] } });
    await expect(run(['--to', 'web:main', '--file', secret, 'hello'], edge)).rejects.toThrow(words);
    expect(gateway.asked).toEqual([]);
  });
});

test('a home that another command has is waited for', async () => {
  const clock = new ManualClock();
  const edge = new FakeEdge();
  let tries = 0;
  const alone = async () => {
    tries += 1;
    if (tries < 3) throw new StoreError({ code: 'locked', message: 'in use by hermes send', retry: later });
    return [sent];
  };
  const running = runSend(['--to', 'web:main', 'hello'], edge, { alone, clock });
  await clock.waiting(200);
  await clock.advance(200);
  await clock.waiting(200);
  await clock.advance(200);
  expect(await running).toBe(0);
});

test('what still waits is told as such', async () => {
  const edge = new FakeEdge();
  const waiting: ToolDelivery = { target: 'web:main', state: 'waiting', detail: 'It waits in the outbox.' };
  gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [waiting] } });
  expect(await run(['--to', 'web:main', 'hello'], edge)).toBe(1);
  expect(edge.err).toBe('web:main: not sent yet: It waits in the outbox.\n');
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
    expect(await runSend(['--to', 'web:main', 'hello'], edge, { alone, clock: new ManualClock() })).toBe(
      code,
    );
    expect(edge.out).toBe('web:main\t17 18\n');
  }
  expect(requests).toEqual([
    expect.objectContaining({ targets: 'web:main', text: 'hello' }),
    expect.objectContaining({ targets: 'web:main', text: 'hello' }),
  ]);
  expect(requests[0]?.key).not.toBe(requests[1]?.key);
});
