import { createServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/adapters/kit/http-exchange.js';
import { createTransport } from '../../../src/adapters/telegram/transport.js';
import { PlatformError } from '../../../src/core/errors.js';
import { type LogLine, MemoryLogger } from '../../fakes/memory-logger.js';
import {
  anySignal,
  createPorts,
  createTelegramAdapter,
  emulatorUrl,
  freshToken,
  KeepingSink,
  runAdapter,
  WatchedClock,
} from './harness.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Takes connections and does nothing with them but what it is told. */
const listen = (onConnection: (socket: import('node:net').Socket) => void): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer(onConnection);
    servers.push(server);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

const closedPort = async (): Promise<number> => {
  const port = await listen((socket) => socket.destroy());
  const server = servers.pop();
  await new Promise((closed) => server?.close(closed));
  return port;
};

const request = { method: 'POST', headers: {}, body: '{}' };

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const fetchFailure = async (url: string, clock = new WatchedClock()): Promise<TransportError> => {
  const transport = createTransport({ clock });
  const error = await errorOf(transport.fetch(url, { ...request, ...anySignal() }));
  transport.close();
  expect(error).toBeInstanceOf(TransportError);
  // Just asserted.
  return error as TransportError;
};

describe('a request that fails', () => {
  test('was certainly not sent if the connection was refused', async () => {
    const error = await fetchFailure(`http://127.0.0.1:${await closedPort()}/`);
    expect(error).toMatchObject({ message: 'connection refused', wasSent: false });
  });

  test('was certainly not sent if the host has no address', async () => {
    const error = await fetchFailure('http://no-such-host.invalid/');
    expect(error.message).toContain('host name not found');
    expect(error.wasSent).toBe(false);
  });

  test('was certainly not sent if no secure connection came about in time', async () => {
    const clock = new WatchedClock();
    const port = await listen(() => undefined);
    const failing = fetchFailure(`https://127.0.0.1:${port}/`, clock);
    await clock.advance(await clock.waitForSleep(10_000, 10_000));
    expect(await failing).toMatchObject({ message: 'no connection in time', wasSent: false });
  });

  test('was certainly not sent if the other side does not speak TLS', async () => {
    const port = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect((await fetchFailure(`https://127.0.0.1:${port}/`)).wasSent).toBe(false);
  });

  test('may have been carried out if the connection ended without an answer', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.destroy()));
    expect(await fetchFailure(`http://127.0.0.1:${port}/`)).toMatchObject({ wasSent: true });
  });

  test('may have been carried out if the answer ended early', async () => {
    const port = await listen((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"ok":')),
    );
    expect(await fetchFailure(`http://127.0.0.1:${port}/`)).toMatchObject({
      message: 'the answer was cut off',
      wasSent: true,
    });
  });

  test('may have been carried out if something answers that is no Bot API', async () => {
    const port = await listen((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello')),
    );
    expect(await fetchFailure(`http://127.0.0.1:${port}/`)).toMatchObject({ wasSent: true });
  });
});

describe('connections', () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\nconnection: keep-alive\r\n\r\n{"ok":true}';

  test('are used again until they are given up', async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections += 1;
      socket.on('data', () => socket.write(answer));
    });
    const transport = createTransport({ clock: new WatchedClock() });
    const call = () => transport.fetch(`http://127.0.0.1:${port}/`, { ...request, ...anySignal() });
    await call();
    await call();
    expect(connections).toBe(1);
    transport.renew();
    await call();
    expect(connections).toBe(2);
    transport.close();
  });
});

describe('secrets', () => {
  const collected = (error: unknown, lines: readonly LogLine[], statuses: readonly unknown[]): string => {
    const whole = { depth: null, showHidden: true, maxStringLength: null } as const;
    return [inspect(error, whole), inspect(lines, whole), inspect(statuses, whole)].join('\n');
  };

  const provoke = async (apiRoot: string, token: string) => {
    const clock = new WatchedClock();
    const logger = new MemoryLogger();
    const { lines } = logger;
    const adapter = await createTelegramAdapter({ token, api_root: apiRoot }, createPorts(clock, logger));
    const running = runAdapter(adapter, new KeepingSink());
    await running.waitForStatus(({ state }) => state !== 'connected');
    const route = { platform: adapter.platform, account: adapter.account, chat: '1' as never };
    const [encoded] = adapter.encode([{ type: 'text', text: '**hi**' }], route);
    const error = await errorOf(adapter.send({ route, encoded: encoded!, idempotencyKey: 'k' }, anySignal()));
    await errorOf(running.stop());
    expect(error).toBeInstanceOf(PlatformError);
    return { error, text: collected(error, lines, running.statuses) };
  };

  test('SC-07 a refused connection shows the method and the reason, and not the token', async () => {
    const token = freshToken();
    const { text } = await provoke(`http://127.0.0.1:${await closedPort()}`, token);
    expect(text).not.toContain(token.split(':')[1]);
    expect(text).toContain('sendMessage: connection refused');
    expect(text).toContain('getMe: connection refused');
  });

  test('SC-07 a cut connection and a refused token do not show the token', async () => {
    const token = freshToken();
    const port = await listen((socket) => socket.once('data', () => socket.destroy()));
    const cut = await provoke(`http://127.0.0.1:${port}`, token);
    const refused = await provoke(emulatorUrl(), token);
    for (const { text } of [cut, refused]) expect(text).not.toContain(token.split(':')[1]);
    expect(cut.text).toContain('sendMessage: connection cut');
    expect(refused.text).toContain('sendMessage: 401 Unauthorized');
  });
});
