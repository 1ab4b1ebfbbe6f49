/**
 * The HTTP server under every emulator: loopback only, any port, keep-alive without an idle limit, so that a pooled
 * connection is never closed by the emulator in the moment a client picks it up (that would look like an unknown
 * outcome that no test asked for).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface LoopbackServer {
  /** Origin without a trailing slash, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Takes over connections that ask for another protocol; until it is called they are cut. */
  onUpgrade(handler: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  /** Stops listening and cuts every open connection, also the ones that wait. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. Port 0 takes a free one. A handler that rejects answers 500 with the reason as text, which is
 * a fault of the emulator itself and never something the real service would say.
 */
export async function startLoopbackServer(handler: RequestHandler, port = 0): Promise<LoopbackServer> {
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, noDelay: true },
    (request, response) => {
      handler(request, response).catch((error: unknown) => failRequest(response, error));
    },
  );
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the emulator has no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    onUpgrade: (upgrade) => {
      server.on('upgrade', upgrade);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function failRequest(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = `emulator failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

/** The whole body; rejects when the client goes away before its end, or with a RangeError over `limitBytes`. */
export async function readBody(request: IncomingMessage, limitBytes = 64 * 1024 * 1024): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    // Node gives Buffers here as long as no encoding is set on the request.
    const bytes = chunk as Buffer;
    sizeBytes += bytes.length;
    if (sizeBytes > limitBytes) throw new RangeError(`body over ${limitBytes} bytes`);
    chunks.push(bytes);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** Answers with JSON and its exact length. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
