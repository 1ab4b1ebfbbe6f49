import { afterEach, describe, expect, test } from 'vitest';
import type { AdapterStatus } from '../../../src/core/services.js';
import { aStatus, type Page, type PageOptions, rawRequest, startPage } from './support.js';

const pages: Page[] = [];
const start = async (options: PageOptions = {}): Promise<Page> => {
  const page = await startPage(options);
  pages.push(page);
  return page;
};
afterEach(async () => {
  for (const page of pages.splice(0)) await page.stop();
});

const token = 'a-long-secret-token';
const section = { token };

describe('paths', () => {
  test('that do not exist are 404', async () => {
    const page = await start();
    for (const path of ['/nothing', '/api', '/api/archives', '/api/sessions/a/b/c', '/assets/../index.ts']) {
      const { status, body } = await page.get(path);
      expect([status, body.error.code]).toEqual([404, 'not-found']);
    }
  });

  test('answer another method with 405 and the methods they have', async () => {
    const page = await start();
    const answers = [
      await page.post('/health', {}),
      await page.get('/api/sessions/a/cancel'),
      await page.get('/api/deliveries'),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [405, 'method-not-allowed']),
    );
    expect(answers.map(({ headers }) => headers.get('allow'))).toEqual(['GET, HEAD', 'POST', 'POST']);
    const { port } = page;
    expect(await rawRequest({ method: 'DELETE', port, path: '/api/sessions/a/messages' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, POST' },
    });
  });

  test('of files say that there is none', async () => {
    const page = await start();
    expect((await page.get('/api/media/x')).status).toBe(404);
  });

  test('never answer without the headers that keep browsers careful', async () => {
    const page = await start();
    for (const path of ['/', '/health', '/nothing', '/api/sessions']) {
      const { headers } = await fetch(new URL(path, page.url));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('turn a failure inside into 500 without telling its text', async () => {
    const page = await start({
      services: {
        status: async () => {
          throw new Error('secret detail');
        },
      },
    });
    const { status, body } = await page.get('/health');
    expect([status, body.error.code]).toEqual([500, 'internal']);
    expect(JSON.stringify(body)).not.toContain('secret detail');
    expect(page.logger.text(['error'])).toContain('secret detail');
  });

  test('with a broken request line are 400', async () => {
    const { port } = await start();
    const answer = await rawRequest({ port, path: '/', headers: { host: 'a b' } });
    expect(answer.status).toBe(400);
  });
});

describe('health', () => {
  const trouble: AdapterStatus = {
    platform: 'telegram',
    title: 'Telegram',
    state: 'unhealthy',
    detail: 'The token is refused.',
    since: 0,
    disconnects: 1,
  };

  test('tells the whole state', async () => {
    const page = await start();
    const { status, body } = await page.get('/health');
    expect(status).toBe(200);
    const { version, startedAt, model, adapters, queues, problems } = aStatus();
    const cron = { scheduled: 0, running: 0 };
    expect(body).toEqual({ status: 'ok', version, startedAt, model, adapters, queues, cron, problems });
    expect((await page.get('/health/ready')).body).toEqual({ ready: true });
    expect((await page.get('/api/status')).body).toEqual(aStatus());
  });

  test('is degraded and not ready while a platform is in trouble', async () => {
    const status = aStatus({ adapters: [...aStatus().adapters, trouble] });
    const page = await start({ services: { status: async () => status } });
    expect((await page.get('/health')).body.status).toBe('degraded');
    const ready = await page.get('/health/ready');
    const reason = 'Telegram is unhealthy: The token is refused.';
    expect([ready.status, ready.body]).toEqual([
      503,
      { ready: false, reasons: [reason], error: { code: 'not-ready', message: reason } },
    ]);
  });
});

describe('deliveries', () => {
  test('go through the gateway and tell what became of each', async () => {
    const requests: unknown[] = [];
    const page = await start({
      services: {
        send: async (request) => {
          requests.push(request);
          return [{ target: 'web:main', state: 'sent', detail: 'm1' }];
        },
      },
    });
    const { status, body } = await page.post('/api/deliveries', { to: 'web:main', text: 'Hello', key: 'k' });
    expect([status, body]).toEqual([
      200,
      { deliveries: [{ target: 'web:main', state: 'sent', detail: 'm1' }] },
    ]);
    await page.post('/api/deliveries', { to: 'web:main', text: 'Hello' });
    expect(requests).toEqual([
      { targets: 'web:main', text: 'Hello', files: [], key: 'k' },
      { targets: 'web:main', text: 'Hello', files: [], key: 'correlation-00001' },
    ]);
  });

  test('are answered when the time that the client gave is over', async () => {
    const page = await start({
      services: {
        send: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () =>
              resolve([{ target: 'web:main', state: 'waiting', detail: 'It waits.' }]),
            );
          }),
      },
    });
    const answer = page.post('/api/deliveries', { to: 'web:main', text: 'Hello', waitMs: 60_000 });
    await page.clock.waiting(60_000);
    await page.clock.advance(60_000);
    expect((await answer).body.deliveries).toMatchObject([{ state: 'waiting' }]);
  });

  test.each([{}, { to: 'web:main' }, { text: 'a' }, { to: '', text: 'a' }, { to: 'web:main', text: '' }])(
    'are refused as %j',
    async (body) => {
      const page = await start();
      const answer = await page.post('/api/deliveries', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid-request']);
    },
  );
});

describe('without a token', () => {
  test('the owner needs no login', async () => {
    const page = await start();
    expect((await page.get('/api/sessions')).status).toBe(200);
    expect((await page.post('/login', { token: 'anything' })).status).toBe(204);
  });

  test('another name that leads here is refused everywhere', async () => {
    const { port } = await start();
    for (const path of ['/', '/health', '/api/sessions', '/assets/app.js']) {
      const answer = await rawRequest({ port, path, headers: { host: `evil.example:${port}` } });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body).error.message).toContain('evil.example');
    }
  });

  test('another page in the same browser is refused and starts nothing', async () => {
    const page = await start();
    const host = `127.0.0.1:${page.port}`;
    const send = (headers: Record<string, string>) =>
      rawRequest({
        method: 'POST',
        port: page.port,
        path: '/api/sessions/main/messages',
        headers: { host, 'content-type': 'text/plain', ...headers },
        chunks: ['{"text": "rm -rf"}'],
      });
    expect((await send({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await send({ origin: 'null' })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(page.inbox.events).toEqual([]);
    expect((await send({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status).toBe(202);
  });
});

describe('with a token', () => {
  test('the page, its files and health are open, everything else is not', async () => {
    const page = await start({ section });
    for (const path of ['/', '/assets/app.js', '/health', '/health/ready'])
      expect((await fetch(new URL(path, page.url))).status).toBe(200);
    for (const path of [
      '/api/sessions',
      '/api/sessions/a/messages',
      '/api/sessions/a/events',
      '/api/status',
      '/metrics',
    ]) {
      const { status, body, headers } = await page.get(path);
      expect([status, body.error.code, headers.get('www-authenticate')]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ]);
    }
    expect((await page.post('/api/sessions/a/messages', { text: 'a' })).status).toBe(401);
    expect(page.inbox.events).toEqual([]);
  });

  test('it is taken from the Authorization header', async () => {
    const page = await start({ section });
    expect((await page.get('/api/sessions', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await page.get('/api/sessions', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await page.get('/api/sessions', { authorization: token })).status).toBe(401);
    expect((await page.get(`/api/sessions?token=${token}`)).status).toBe(401);
  });

  test('a login gives a cookie that opens the rest', async () => {
    const page = await start({ section });
    expect((await page.post('/login', { token: 'wrong' })).status).toBe(401);
    const { status, headers } = await page.post('/login', { token });
    expect(status).toBe(204);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await page.get('/api/sessions', { cookie })).status).toBe(200);
    expect((await page.get('/api/sessions', { cookie: `${cookie}x` })).status).toBe(401);
  });

  test('guessing is stopped, by header as well as by login, and the owner gets in all the same', async () => {
    const page = await start({ section });
    for (let count = 0; count < 5; count += 1) {
      expect((await page.post('/login', { token: `wrong ${count}` })).status).toBe(401);
      expect((await page.get('/api/sessions', { authorization: `Bearer wrong-${count}` })).status).toBe(401);
    }
    const { status, headers, body } = await page.post('/login', { token: 'wrong again' });
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([429, '300', 'too-many-attempts']);
    expect((await page.get('/api/sessions', { authorization: 'Bearer wrong-too' })).status).toBe(429);
    expect((await page.get('/api/sessions', { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test('another page cannot use the cookie', async () => {
    const page = await start({ section });
    const cookie = (await page.post('/login', { token })).headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { host: `127.0.0.1:${page.port}`, cookie, origin: 'http://evil.example' };
    const answer = await rawRequest({ port: page.port, path: '/api/sessions', headers });
    expect(answer.status).toBe(403);
  });
});
