import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
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
    const [probe, asked] = gateway.asked;
    expect(probe).toMatchObject({ method: 'GET', path: '/health' });
    const { files, text } = (asked?.body ?? {}) as { files: { path: string }[]; text: string };
    expect(text).toBe('');
    expect(files).toHaveLength(2);
    expect(files[0]).toMatchObject({ fileName: basename(path), mimeType: 'text/plain', sizeBytes: 7 });
    expect(files[0]?.path).not.toBe(path);
    expect(await readFile(files[0]?.path ?? '', 'utf8')).toBe('content');
  });

  test.each([
    ['that are secret', '.env', 'never are, wherever they lie'],
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
    expect(gateway.asked.map(({ path: route }) => route)).toEqual(['/health']);
  });

  test('in a folder of secrets are secrets, and so are those of the home', async () => {
    const { edge } = await withFile('x');
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [sent] } });
    for (const path of ['.ssh/config', 'whatsapp/session/creds.json', 'logs/gateway.log', 'state.db-wal']) {
      const whole = join(edge.home, path);
      await mkdir(dirname(whole), { recursive: true });
      await writeFile(whole, 'content');
      await expect(run(['--to', 'web:main', '--file', whole], edge)).rejects.toThrow('never are');
    }
    expect(gateway.asked.map(({ path }) => path)).not.toContain('/api/deliveries');
  });

  test('without a gateway are taken by whoever has the home', async () => {
    const { edge, path } = await withFile('report.txt');
    const taken: SendRequest[] = [];
    const alone = async (request: SendRequest) => {
      taken.push(request);
      return [sent];
    };
    expect(
      await runSend(['--to', 'web:main', '--file', path, 'look'], edge, { alone, clock: new ManualClock() }),
    ).toBe(0);
    expect(taken).toMatchObject([{ text: 'look', paths: [path] }]);
    await expect(readdir(join(edge.home, 'cache'))).rejects.toThrow('ENOENT');
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

test('a home that another command keeps is given up, and nothing is kept', async () => {
  const clock = new ManualClock();
  const edge = new FakeEdge();
  const alone = async () => {
    await clock.advance(61_000);
    throw new StoreError({ code: 'locked', message: 'The home is in use.', retry: later });
  };
  await expect(runSend(['--to', 'web:main', 'hello'], edge, { alone, clock })).rejects.toThrow(
    'The home is in use. Nothing was sent or kept.',
  );
});

describe('what is not confirmed', () => {
  const waiting: ToolDelivery = { target: 'web:main', state: 'waiting', detail: 'It waits in the outbox.' };
  const plain = (text: string): string => text.replace(/\s+/gu, ' ');

  test('goes on in the gateway', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { deliveries: [waiting] } });
    expect(await run(['--to', 'web:main', 'hello'], edge)).toBe(1);
    expect(plain(edge.err)).toBe(
      'web:main: not confirmed yet; it is in the outbox of the gateway, which goes on trying. ',
    );
  });

  test('goes on when a gateway runs, where there is none', async () => {
    const edge = new FakeEdge();
    const ports = { alone: async () => [waiting], clock: new ManualClock() };
    expect(await runSend(['--to', 'web:main', 'hello'], edge, ports)).toBe(1);
    expect(plain(edge.err)).toBe(
      'web:main: not confirmed yet; it is in the outbox and goes on when a gateway runs (`hermes gateway`). ',
    );
  });

  test('is unknown when the gateway breaks off, or says nothing', async () => {
    const edge = new FakeEdge();
    const clock = new ManualClock();
    const ports = { alone: async () => [], clock };
    const server = createServer(() => {});
    await new Promise<void>((resolve) => {
      server.listen(join(edge.home, 'gateway.sock'), resolve);
    });
    onTestFinished(() => void server.close());
    const failure = 'It is unknown whether it took the message';
    server.once('request', (request) => request.socket.destroy());
    await expect(runSend(['--to', 'web:main', 'hello'], edge, ports)).rejects.toThrow(failure);
    server.once('request', () => void clock.advance(70_000));
    await expect(runSend(['--to', 'web:main', 'hello'], edge, ports)).rejects.toThrow(
      `did not answer within 70 s. Its log may say why. ${failure}`,
    );
  });
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
        body: { to: 'web:main', text, key: expect.stringMatching(/^cli:./), waitMs: 60_000 },
      },
    ]);
    expect(edge.out).toBe('web:main\t17 18\n');
    expect(edge.err).toBe('');
  });

  test.each([
    [[sent, failed], 'web:main\t17 18\n', 'web:other: not sent: There is no such chat.\n'],
    [
      [unknown],
      '',
      'web:third: it is unknown whether it was sent, and it is not sent again: The\nconnection was cut.\n',
    ],
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
