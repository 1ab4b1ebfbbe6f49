/**
 * The HTTP side of webhook mode. Everything but an update with the right secret is turned away before any work:
 * 1. Another path or method, then a wrong secret, then a body that is too large; each before the body is read.
 * 2. 200 only once the update is stored. Telegram offers again whatever got another answer.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface WebhookListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secret: string;
  /** Resolves with true when the update is stored, with false when it is to be offered again. Must not reject. */
  take(update: unknown): Promise<boolean>;
}

export interface WebhookListener {
  /** Takes nothing more; resolves when answers under way have been given. */
  close(): Promise<void>;
}

/** Updates have a few kilobytes; a message with its entities stays far below. */
const MAX_BODY_BYTES = 1024 * 1024;
/** What a client may still send of a refused body, so that it gets to read its answer. */
const MAX_DRAIN_BYTES = 8 * 1024 * 1024;
/** For a whole request; a client that is slower holds a connection and no more. */
const REQUEST_LIMIT_MS = 30_000;
const secretHeader = 'x-telegram-bot-api-secret-token';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Of equal length by their digests, so that the time it takes tells nothing. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0 }).end();
};

const refuse = (request: IncomingMessage, response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
  let drained = 0;
  request.on('data', (piece: Buffer) => {
    drained += piece.length;
    if (drained > MAX_DRAIN_BYTES) request.destroy();
  });
  // A refused client that goes away is no news.
  request.on('error', () => undefined);
};

/** Undefined if it is longer than allowed or cut off. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of request) {
      // No encoding is set, so the pieces are Buffers.
      const bytes = piece as Buffer;
      sizeBytes += bytes.length;
      if (sizeBytes > MAX_BODY_BYTES) return undefined;
      pieces.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).toString('utf8');
};

const parse = (body: string): { readonly update: unknown } | undefined => {
  try {
    return { update: JSON.parse(body) };
  } catch {
    return undefined;
  }
};

const handle = async (
  { path, secret, take }: WebhookListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.url?.split('?', 1)[0] !== path) return refuse(request, response, 404);
  if (request.method !== 'POST') return refuse(request, response, 405);
  const given = request.headers[secretHeader];
  if (typeof given !== 'string' || !isSame(given, secret)) return refuse(request, response, 401);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return refuse(request, response, 413);
  const body = await readBody(request);
  if (body === undefined) return refuse(request, response, 413);
  const parsed = parse(body);
  if (parsed === undefined) return answer(response, 400);
  answer(response, (await take(parsed.update)) ? 200 : 503);
};

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Rejects with the system's error if the address cannot be taken. */
export const openWebhookListener = async (options: WebhookListenerOptions): Promise<WebhookListener> => {
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    handle(options, request, response).catch(() => response.destroy());
  });
  await listen(server, options.host, options.port);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};
