/**
 * One HTTP request over Node's own client, for SDKs whose transport can be put in place, for three reasons:
 * 1. It knows whether a request had left when it failed: only then may a message have arrived without an answer.
 * 2. Its errors carry a reason and nothing else. Others carry the address, and with it perhaps a token.
 * 3. It takes a third of the time that `fetch` does, and none of its memory.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { CancelTimer, Clock } from '../../core/clock.js';

/** A request that got no readable answer. */
export class TransportError extends Error {
  /** True if the other side may have received the request. */
  readonly wasSent: boolean;

  constructor(reason: string, wasSent: boolean) {
    super(reason);
    this.name = 'TransportError';
    this.wasSent = wasSent;
  }
}

export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent piece by piece; until its end has left, the other side cannot have carried anything out. */
  readonly body: string | Readable;
  readonly signal: AbortEvents;
}

/** What the SDK's signals and the built-in ones have in common. */
export interface AbortEvents {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A host that does not take a connection by then will not; the request has certainly not left. */
const CONNECT_LIMIT_MS = 10_000;
/** Below the idle limits of usual servers and proxies, so that a request rarely meets a connection just closed. */
const IDLE_LIMIT_MS = 25_000;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection cut',
  EPIPE: 'connection cut',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found (no name service)',
  ETIMEDOUT: 'no connection in time',
  ENETUNREACH: 'network not reachable',
  EHOSTUNREACH: 'host not reachable',
};

/** Codes are safe to show; messages of others may hold an address. */
const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'connection failed' : (reasons[code] ?? `connection failed (${code})`);
};

export const newAgent = (isSecure: boolean): HttpAgent => {
  const options = { keepAlive: true, timeout: IDLE_LIMIT_MS };
  return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
};

const readAll = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const onCut = (): void => reject(new TransportError('the answer was cut off', true));
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('end', () => {
      resolve(Buffer.concat(pieces).toString('utf8'));
      // Every response closes at last, and an error with its stack is not made for nothing.
      response.off('close', onCut);
    });
    response.on('close', onCut);
    response.on('error', onCut);
  });

/** Read to its end. */
export interface WholeAnswer {
  readonly status: number;
  /** By lower-case name; undefined if there is none. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

export const takeWhole = async (response: IncomingMessage): Promise<WholeAnswer> => ({
  status: response.statusCode ?? 0,
  header: (name) => {
    const value = response.headers[name];
    return typeof value === 'object' ? value[0] : value;
  },
  body: await readAll(response),
});

export interface Exchange<Answer> {
  readonly url: string;
  readonly request: TransportRequest;
  readonly agent: HttpAgent;
  readonly isSecure: boolean;
  readonly clock: Clock;
  /** Makes the answer of the response; the exchange is over when it has. */
  readonly take: (response: IncomingMessage) => Promise<Answer>;
}

/** Redirects are not followed: they would hand a token to whoever is named there. Rejects with a TransportError. */
export const exchange = <Answer>({
  url,
  request,
  agent,
  isSecure,
  clock,
  take,
}: Exchange<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { body } = request;
    let wasSent = false;
    let isAnswered = false;
    let stopWaiting: CancelTimer = () => {};
    const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers: request.headers,
      agent,
    });
    const settle = (): void => {
      stopWaiting();
      request.signal.removeEventListener('abort', onAbort);
    };
    const stopSending = (): void => {
      if (typeof body === 'string' || outgoing.writableFinished) return;
      body.destroy();
      outgoing.destroy();
    };
    const fail = (reason: string): void => {
      settle();
      reject(new TransportError(reason, wasSent));
      outgoing.destroy();
      stopSending();
    };
    const onAbort = (): void => fail('no answer in time');
    const onConnected = (): void => {
      if (typeof body === 'string') wasSent = true;
      stopWaiting();
    };
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) return onConnected();
      socket.once(isSecure ? 'secureConnect' : 'connect', onConnected);
      stopWaiting = clock.after(CONNECT_LIMIT_MS, () => fail('no connection in time'));
    });
    // A server that refuses an upload before its end closes the connection behind its answer, and the answer counts.
    outgoing.on('error', (error) => {
      if (!isAnswered) fail(reasonOf(error));
    });
    outgoing.on('response', (response) => {
      isAnswered = true;
      take(response).then(
        (answer) => {
          settle();
          resolve(answer);
          stopSending();
        },
        () => fail('the answer was cut off'),
      );
    });
    if (request.signal.aborted) return onAbort();
    request.signal.addEventListener('abort', onAbort);
    if (typeof body === 'string') return void outgoing.end(body);
    body.once('end', () => {
      wasSent = true;
    });
    body.once('error', () => fail('the file could not be read'));
    body.pipe(outgoing);
  });
