import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpFetch } from '../../../../src/agent/providers/openai-chat/http-fetch.js';

const opened: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  opened.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is never a pipe's name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
};

const post = (url: string, init: RequestInit = {}) => createHttpFetch()(url, { method: 'POST', ...init });

test('gives status, headers and the whole text', async () => {
  const url = await listen(async (request, response) => {
    const body = await readBody(request);
    const { authorization, 'accept-encoding': encoding, 'content-length': length } = request.headers;
    response
      .writeHead(201, { 'X-Request-Id': 'r1' })
      .end(JSON.stringify({ body, authorization, encoding, length }));
  });
  const response = await post(url, { headers: { authorization: 'Bearer k' }, body: '{"ü":1}' });
  expect(response).toMatchObject({ ok: true, status: 201, url });
  expect(response.headers.get('x-request-id')).toBe('r1');
  expect(JSON.parse(await response.text())).toEqual({
    body: '{"ü":1}',
    authorization: 'Bearer k',
    encoding: 'identity',
    length: '8',
  });
});

test('follows a redirect with its body, and takes no key to another host', async () => {
  const other = await listen(async (request, response) => {
    response.end(
      JSON.stringify([request.method, await readBody(request), request.headers.authorization ?? null]),
    );
  });
  const url = await listen((request, response) => {
    request.resume();
    response.writeHead(308, { location: `${other}/v1` }).end();
  });
  const response = await post(url, { headers: { authorization: 'Bearer k' }, body: 'hi' });
  expect(await response.json()).toEqual(['POST', 'hi', null]);
});

test('an abort before the answer rejects with its reason and ends the connection', async () => {
  let socket: Socket | undefined;
  const stop = new AbortController();
  const url = await listen((request) => {
    socket = request.socket;
    stop.abort(new Error('stopped'));
  });
  await expect(post(url, { signal: stop.signal })).rejects.toThrow('stopped');
  if (socket?.closed === false) await once(socket, 'close');
  await expect(post(url, { signal: stop.signal })).rejects.toThrow('stopped');
});

test('an abort within the answer ends the iteration with its reason', async () => {
  const url = await listen((_request, response) => void response.write('some'));
  const stop = new AbortController();
  const response = await post(url, { signal: stop.signal });
  const read = async (): Promise<void> => {
    // Node's own iterator, which the built-in type does not have.
    for await (const _piece of response.body as unknown as AsyncIterable<Uint8Array>)
      stop.abort(new Error('stopped'));
  };
  await expect(read()).rejects.toThrow('stopped');
});

test('an answer that is cut off rejects', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('some', () => response.destroy());
  });
  const response = await post(url);
  await expect(response.text()).rejects.toThrow('aborted');
});
