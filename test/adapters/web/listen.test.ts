import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createPage, rawRequest } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'hermes-socket-'));
const path = join(folder, 'gateway.sock');
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(path, { force: true });
});

const listen = async (section = {}) => {
  const page = createPage({ section });
  const listener = await page.face.listenOnSocket(path);
  closers.push(() => listener.close());
  return { ...page, listener };
};

const ask = (request: Omit<Parameters<typeof rawRequest>[0], 'socketPath'>) =>
  rawRequest({ socketPath: path, ...request });

describe('the unix socket', () => {
  test('serves the same app to the owner alone, without login or host check', async () => {
    await listen({ token: 'a-long-secret-token' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await ask({ path: '/api/status' })).status).toBe(200);
    expect((await ask({ path: '/api/sessions', headers: { host: 'anything.example' } })).status).toBe(200);
  });

  test('says that the page does not run where it does not', async () => {
    await listen({ enabled: false });
    const answer = await ask({
      method: 'POST',
      path: '/api/sessions/main/messages',
      chunks: ['{"text": "a"}'],
    });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([503, 'unavailable']);
    expect(JSON.parse(answer.body).error.message).toContain('platforms.web.enabled');
  });

  test('replaces a file that a crash left', async () => {
    writeFileSync(path, '');
    await listen();
    expect((await ask({ path: '/health' })).status).toBe(200);
  });

  test('leaves the socket of a gateway that answers', async () => {
    await listen();
    await expect(createPage().face.listenOnSocket(path)).rejects.toThrow(/Another gateway answers/u);
    expect((await ask({ path: '/health' })).status).toBe(200);
  });

  test('says that a path is too long', async () => {
    const long = join(folder, 'x'.repeat(120));
    await expect(createPage().face.listenOnSocket(long)).rejects.toThrow(
      /too long for a socket.*HERMES_HOME/u,
    );
  });

  test('is removed when it closes, also while somebody is connected', async () => {
    const { listener } = await listen();
    const silent = connect(path);
    await new Promise((resolve) => silent.once('connect', resolve));
    const ended = new Promise((resolve) => silent.once('close', resolve));
    await listener.close();
    await ended;
    expect(existsSync(path)).toBe(false);
  });

  test('cuts off what does not finish in time', async () => {
    const { listener, clock } = await listen();
    const slow = connect(path);
    slow.on('error', () => {});
    slow.write(
      'POST /api/deliveries HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
    );
    // The server has begun to read the request once it asks for the rest.
    await new Promise((resolve) => slow.once('data', resolve));
    const closed = listener.close();
    await clock.waiting(2_000);
    await clock.advance(2_000);
    await closed;
    expect(existsSync(path)).toBe(false);
  });
});

describe('a port that is taken', () => {
  test('is said with what to do, tried again, and taken once it is free', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const address = squatter.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { face, clock } = createPage({ section: { port } });
    const states: string[] = [];
    const stopper = new AbortController();
    let onConnected = (): void => {};
    const connected = new Promise<void>((resolve) => {
      onConnected = resolve;
    });
    const ended = face.adapter.run(
      { accept: async () => [] },
      {
        signal: stopper.signal,
        report: ({ state, detail = '' }) => {
          states.push(`${state} ${detail}`.trim());
          if (state === 'connected') onConnected();
        },
      },
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await clock.waiting();
      expect(states.at(-1)).toMatch(
        new RegExp(`^unhealthy Port ${port} on 127\\.0\\.0\\.1 is in use.*platforms\\.web\\.port`, 'u'),
      );
      expect(face.url()).toBeUndefined();
      if (attempt < 2) await clock.advance(60_000);
    }
    await new Promise((resolve) => squatter.close(resolve));
    await clock.advance(60_000);
    await connected;
    expect(face.url()).toBe(`http://127.0.0.1:${port}/`);
    stopper.abort();
    await ended;
    expect(face.url()).toBeUndefined();
  });

  test('does not keep the gateway from stopping', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const address = squatter.address();
    const { face, clock } = createPage({
      section: { port: typeof address === 'object' ? (address?.port ?? 0) : 0 },
    });
    const stopper = new AbortController();
    const ended = face.adapter.run({ accept: async () => [] }, { signal: stopper.signal, report: () => {} });
    await clock.waiting();
    stopper.abort();
    await ended;
    await new Promise((resolve) => squatter.close(resolve));
  });

  test('on a host that this machine does not have is said too', async () => {
    const { face, clock } = createPage({ section: { host: '192.0.2.1', token: 'a-long-secret-token' } });
    const details: string[] = [];
    const stopper = new AbortController();
    const ended = face.adapter.run(
      { accept: async () => [] },
      { signal: stopper.signal, report: ({ detail = '' }) => details.push(detail) },
    );
    await clock.waiting();
    expect(details.at(-1)).toMatch(/no address 192\.0\.2\.1.*platforms\.web\.host/u);
    stopper.abort();
    await ended;
  });
});
