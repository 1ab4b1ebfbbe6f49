import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { onWire, rawBytes, text } from './control.js';
import { ask, readStream, useEmulator } from './harness.js';
import type { Wire } from './script.js';

const newWorld = useEmulator();
const CONTENT = '東京 🚀 ñ';

/** The HTTP chunks of the answer's body, read from a bare socket: a client joins what arrives together. */
async function readPieces(baseUrl: string, key: string): Promise<Buffer[]> {
  const url = new URL(`${baseUrl}/chat/completions`);
  const body = JSON.stringify({ ...ask('x'), stream: true });
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    `Authorization: Bearer ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const received: Buffer[] = [];
  for await (const piece of socket) received.push(piece);
  return toPieces(Buffer.concat(received));
}

/** Undoes the chunked transfer coding. */
function toPieces(answer: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let at = answer.indexOf('\r\n\r\n') + 4;
  while (at < answer.length) {
    const start = answer.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(answer.toString('latin1', at, start), 16);
    if (size > 0) pieces.push(answer.subarray(start, start + size));
    at = start + size + 2;
  }
  return pieces;
}

async function readBody(wire: Wire): Promise<string> {
  const { control } = await newWorld({ fallback: onWire(text('Hi'), wire) });
  return Buffer.concat(await readPieces(control.baseUrl, control.key)).toString('utf8');
}

describe('the wire', () => {
  it('carries one byte per chunk, mixed line ends and comments, and the client reads it unharmed', async () => {
    const fallback = onWire(text(CONTENT), { cutEvery: 1, lineEnd: 'mixed', comments: true });
    const { client, control } = await newWorld({ fallback });
    expect(await readStream(client, ask('x'))).toMatchObject({ text: CONTENT, finishReason: 'stop' });
    const pieces = await readPieces(control.baseUrl, control.key);
    expect(pieces.every((piece) => piece.length === 1)).toBe(true);
    const body = Buffer.concat(pieces).toString('utf8');
    expect(body).toMatch(/^: keep-alive\n\ndata: \{.*\}\n\n: keep-alive\r\n\r\ndata: \{.*\}\r\n\r\n/);
    expect(body).toContain(CONTENT);
  });

  it('separates the events of an ordinary stream by empty lines and closes it with [DONE]', async () => {
    const body = await readBody({});
    expect(body).toMatch(/^(data: \{.*\}\n\n){3}data: \[DONE\]\n\n$/);
  });

  it('leaves out [DONE], the last line end or the space where told to', async () => {
    expect(await readBody({ done: false })).toMatch(/^(data: \{.*\}\n\n){3}$/);
    expect(await readBody({ finalNewline: false })).toMatch(/data: \[DONE\]$/);
    expect(await readBody({ finalNewline: false, done: false })).toMatch(/\}$/);
    expect(await readBody({ dataSpace: false, lineEnd: 'crlf' })).toMatch(
      /^(data:\{.*\}\r\n\r\n){3}data:\[DONE\]\r\n\r\n$/,
    );
  });

  it('sends raw bytes cut at the given offsets', async () => {
    const body = Buffer.from(
      `data: {"choices":[{"index":0,"delta":{"content":"${CONTENT}"}}]}\r\n\r\ndata: [DONE]\n\n`,
    );
    const middle = body.indexOf('🚀') + 2;
    const { client, control } = await newWorld({
      fallback: rawBytes(body, { wire: { cutAt: [4, middle] } }),
    });
    expect((await readStream(client, ask('x'))).text).toBe(CONTENT);
    const pieces = await readPieces(control.baseUrl, control.key);
    expect(pieces.map((piece) => piece.length)).toEqual([4, middle - 4, body.length - middle]);
  });

  it('sends what is no protocol at all', async () => {
    const { control } = await newWorld({ fallback: rawBytes(new Uint8Array([0xff, 0x00, 0xfe])) });
    expect(Buffer.concat(await readPieces(control.baseUrl, control.key))).toEqual(
      Buffer.from([0xff, 0x00, 0xfe]),
    );
  });

  it('can answer a request for a stream with a plain body', async () => {
    const { client } = await newWorld({ fallback: text('Hi', { form: 'json' }) });
    expect((await readStream(client, ask('x'))).chunks).toEqual([]);
  });
});
