import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch } from '../../src/host/guarded-fetch.js';
import { isPublicAddress } from '../../src/host/public-address.js';
import { ManualClock } from '../fakes/manual-clock.js';

const { signal } = new AbortController();

const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
};

const readAll = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** Fetches from this host's servers too, where the test says so. */
const create = (
  openPorts: readonly number[] = [],
  hosts: Readonly<Record<string, readonly string[]>> = {},
) => {
  const clock = new ManualClock();
  const fetch = createGuardedFetch({
    clock,
    resolve: async (host) => (hosts[host] ?? []).map((address) => ({ address, family: 4 })),
    isExempt: (address, port) => address === '127.0.0.1' && openPorts.includes(port),
  });
  return { clock, fetch: (url: string, maxBytes = 1_000) => fetch(url, { signal, maxBytes }) };
};

describe('isPublicAddress', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'takes %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
  ])('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a guarded fetch', () => {
  test('gives bytes, name and type', async () => {
    const port = await serve((request, response) => {
      response.setHeader('content-type', 'text/csv');
      response.end(`${request.method} ${request.headers.cookie ?? 'no cookie'}`);
    });
    const answer = await create([port]).fetch(`http://127.0.0.1:${port}/data/Übersicht%20neu.csv?x=1`);
    expect(answer).toMatchObject({ fileName: 'Übersicht neu.csv', mimeType: 'text/csv' });
    expect(await readAll(answer.bytes)).toBe('GET no cookie');
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://inside.example/',
    'http://mixed.example/',
    'http://user:password@public.example/',
    'file:///etc/passwd',
    'ftp://public.example/',
  ])('refuses %s', async (url) => {
    const { fetch } = create([], {
      'inside.example': ['10.0.0.7'],
      'mixed.example': ['8.8.8.8', '127.0.0.1'],
      'public.example': ['8.8.8.8'],
    });
    await expect(fetch(url)).rejects.toMatchObject({ origin: 'tool', code: 'not-allowed' });
  });

  test('connects to the address that was judged, not to what the name means a moment later', async () => {
    const port = await serve((request, response) => response.end(`host ${request.headers.host}`));
    let asked = 0;
    const fetch = createGuardedFetch({
      clock: new ManualClock(),
      resolve: async () => {
        asked += 1;
        return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
      },
      isExempt: (address) => address === '127.0.0.1',
    });
    const answer = await fetch(`http://rebound.example:${port}/`, { signal, maxBytes: 100 });
    expect(await readAll(answer.bytes)).toBe(`host rebound.example:${port}`);
    expect(asked).toBe(1);
  });

  test('follows redirects, judges each of them and gives up after five', async () => {
    const hidden = await serve((_request, response) => response.end('hidden'));
    const port = await serve((request, response) => {
      const to: Record<string, string> = {
        '/once': '/end',
        '/in': `http://127.0.0.1:${hidden}/`,
        '/loop': '/loop',
      };
      const location = to[request.url ?? ''];
      if (location === undefined) return void response.end('arrived');
      response.writeHead(302, { location }).end();
    });
    const { fetch } = create([port]);
    expect(await readAll((await fetch(`http://127.0.0.1:${port}/once`)).bytes)).toBe('arrived');
    await expect(fetch(`http://127.0.0.1:${port}/in`)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(fetch(`http://127.0.0.1:${port}/loop`)).rejects.toThrow('redirects without end');
  });

  test('takes no more than the limit, announced or not', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/announced') return void response.end('x'.repeat(2_000));
      response.write('x'.repeat(900));
      response.end('x'.repeat(900));
    });
    const { fetch } = create([port]);
    await expect(fetch(`http://127.0.0.1:${port}/announced`)).rejects.toThrow('larger than');
    const answer = await fetch(`http://127.0.0.1:${port}/streamed`);
    await expect(readAll(answer.bytes)).rejects.toThrow('larger than');
  });

  test('gives up on a server that does not answer, and on one that does not go on', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/begun') response.write('begun');
    });
    const { fetch, clock } = create([port]);
    const silent = expect(fetch(`http://127.0.0.1:${port}/silent`)).rejects.toThrow('within 60 seconds');
    await clock.waiting(60_000);
    await clock.advance(60_000);
    await silent;
    const { bytes } = await fetch(`http://127.0.0.1:${port}/begun`);
    const rest = expect(readAll(bytes)).rejects.toThrow('within 60 seconds');
    await clock.advance(60_000);
    await rest;
    expect(clock.sleeping).toEqual([]);
  });

  test('tells what the server says, and passes an abort through', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end());
    const { fetch } = create([port]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('its server answers 404');
    await expect(fetch('http://unknown.example/')).rejects.toThrow('its host is not known');
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    const guarded = createGuardedFetch({ clock: new ManualClock() });
    await expect(guarded('http://127.0.0.1/', { signal: controller.signal, maxBytes: 1 })).rejects.toBe(
      controller.signal.reason,
    );
  });
});
