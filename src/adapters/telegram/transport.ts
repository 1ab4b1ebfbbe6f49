/**
 * HTTP under the Bot API client, in place of the SDK's own, for three reasons:
 * 1. It knows whether a request had left when it failed: only then may a message have arrived without an answer.
 * 2. Its errors carry a reason and nothing else. Others carry the address, and with it the token.
 * 3. Connections can be given up: one that went bad would fail again and again if it stayed pooled.
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

export interface TransportResponse {
  json(): Promise<unknown>;
}

export type Download =
  | { readonly ok: true; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly status: number; readonly description: string };

export interface DownloadOptions {
  /** Ends the wait for the first byte. */
  readonly begin: AbortSignal;
  /** Ends the whole download, also after it has begun. */
  readonly signal: AbortSignal;
}

export interface Transport {
  /** Resolves with a whole answer that is JSON of the Bot API's shape; rejects with a TransportError. */
  fetch(url: string, request: TransportRequest): Promise<TransportResponse>;
  /** Resolves with the bytes behind an address, or with the envelope of a refusal. */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /** Later requests open new connections; requests under way are left alone. */
  renew(): void;
  /** Ends all connections, also busy ones. */
  close(): void;
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

/** A file whose bytes stop coming for this long will not come any more. */
const SILENCE_LIMIT_MS = 60_000;

/** Codes are safe to show; messages of others may hold an address. */
const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'connection failed' : (reasons[code] ?? `connection failed (${code})`);
};

const newAgent = (isSecure: boolean): HttpAgent => {
  const options = { keepAlive: true, timeout: IDLE_LIMIT_MS };
  return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
};

/** A server that is out of order often answers with a page; its status is then the answer. */
const toEnvelope = (status: number, body: string): unknown => {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer;
  } catch {
    // Not JSON: told by the status, below.
  }
  // A proxy or a captive portal: what it says of the token or the chat is nothing that Telegram said. Only its word that
  // an upload is too large holds, whoever says so.
  if (status < 500 && status !== 413) {
    const isSent = status >= 200 && status < 300;
    throw new TransportError(`HTTP ${status}, and the answer is not from a Bot API server`, isSent);
  }
  return { ok: false, error_code: status, description: `HTTP ${status} without an answer of the Bot API` };
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

interface Exchange<Answer> {
  readonly url: string;
  readonly request: TransportRequest;
  readonly agent: HttpAgent;
  readonly isSecure: boolean;
  readonly clock: Clock;
  /** Makes the answer of the response; the exchange is over when it has. */
  readonly take: (response: IncomingMessage) => Promise<Answer>;
}

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

const takeWhole = async (response: IncomingMessage): Promise<RawAnswer> => ({
  status: response.statusCode ?? 0,
  body: await readAll(response),
});

const exchange = <Answer>({
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

/** The bytes of a response; ends with a TransportError if they stop before the end, or with the signal's reason. */
async function* bytesOf(
  response: IncomingMessage,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const watch = new AbortController();
  let seen = 0;
  const watchForSilence = async (): Promise<void> => {
    for (let before = -1; before !== seen; ) {
      before = seen;
      await clock.sleep(SILENCE_LIMIT_MS, { signal: watch.signal });
    }
    response.destroy();
  };
  const onAbort = (): void => void response.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  // Rejects when the download is over, which is its usual end.
  watchForSilence().catch(() => undefined);
  try {
    signal.throwIfAborted();
    for await (const piece of response) {
      // No encoding is set, so the pieces are Buffers.
      const bytes = piece as Buffer;
      seen += bytes.length;
      yield bytes;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TransportError) throw error;
    throw new TransportError('the file was cut off', true);
  } finally {
    watch.abort();
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
}

export const createTransport = ({ clock }: { readonly clock: Clock }): Transport => {
  const agents = new Map<boolean, HttpAgent>();
  const agentFor = (isSecure: boolean): HttpAgent => {
    const agent = agents.get(isSecure) ?? newAgent(isSecure);
    agents.set(isSecure, agent);
    return agent;
  };
  return {
    async fetch(url, request) {
      const isSecure = url.startsWith('https:');
      const agent = agentFor(isSecure);
      const { status, body } = await exchange({ url, request, clock, isSecure, agent, take: takeWhole });
      const answer = toEnvelope(status, body);
      return { json: async () => answer };
    },
    async download(url, { begin, signal }) {
      const isSecure = url.startsWith('https:');
      const request = { method: 'GET', headers: {}, body: '', signal: begin };
      return exchange<Download>({
        url,
        request,
        clock,
        isSecure,
        agent: agentFor(isSecure),
        take: async (response) => {
          const status = response.statusCode ?? 0;
          if (status === 200) return { ok: true, bytes: bytesOf(response, clock, signal) };
          response.resume();
          return { ok: false, status, description: `HTTP ${status} for the file` };
        },
      });
    },
    renew() {
      for (const agent of agents.values()) {
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      }
      agents.clear();
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
};
