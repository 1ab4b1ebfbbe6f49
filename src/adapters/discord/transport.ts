/**
 * HTTP under the SDK's REST client, for three reasons:
 * 1. It knows whether a request may have been carried out when no answer came.
 * 2. A 429 comes back at once with its time, and no call of that kind leaves before: waiting is for the outbox.
 * 3. What it says of a failure carries no address, and with it no token.
 */
import type { Clock } from '../../core/clock.js';
import { exchange, newAgent, TransportError, takeWhole, type WholeAnswer } from '../kit/http-exchange.js';
import { remember } from '../kit/remember.js';

/** A request that got no readable answer, or one that has to wait. */
export class HttpFailure extends Error {
  /** True if the other side may have received the request. */
  readonly wasSent: boolean;
  /** The server's rate limit: not before this time. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, facts: { readonly wasSent: boolean; readonly retryAfterMs?: number }) {
    super(reason);
    this.name = 'HttpFailure';
    this.wasSent = facts.wasSent;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: null;
  readonly bodyUsed: boolean;
  json(): Promise<unknown>;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface HttpTransport {
  /** Rejects with an HttpFailure. */
  request(url: string, request: HttpRequest): Promise<HttpResponse>;
  /** Resolves with a response whose body is not read yet. Rejects with the signal's reason or an HttpFailure. */
  download(
    url: string,
    signals: { readonly begin: AbortSignal; readonly signal: AbortSignal },
  ): Promise<Response>;
}

/** With these the request certainly never left. */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found (no name service)',
  ENETUNREACH: 'network not reachable',
  EHOSTUNREACH: 'host not reachable',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};

const codeOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

const toHttpFailure = (error: unknown, signal: AbortSignal): HttpFailure => {
  if (signal.aborted) return new HttpFailure('no answer in time', { wasSent: true });
  const code = codeOf(error);
  const reason = code === undefined ? undefined : unsent[code];
  if (reason !== undefined) return new HttpFailure(reason, { wasSent: false });
  return new HttpFailure(code === undefined ? 'connection cut' : `connection cut (${code})`, {
    wasSent: true,
  });
};

/** The kind of call that a limit is counted for: its verb, and its path with only the first id. */
const bucketOf = (method: string, url: string): string => {
  const path = new URL(url).pathname;
  const major = /\/(?:channels|webhooks|guilds)\/\d+/u.exec(path)?.[0] ?? '';
  return `${method} ${major} ${path.replace(/\/\d{15,20}/gu, '/:id')}`;
};

const secondsOf = (text: string | undefined): number | undefined => {
  const seconds = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

/** A little later than the server says, as its clock and ours round differently. */
const MARGIN_MS = 50;

/** Kept within bounds: a bucket per channel and kind of call. */
const MAX_BUCKETS = 1_000;

interface Pause {
  readonly until: number;
  readonly ms: number;
}

/** Without files: over connections of our own. */
const createTextSender = (clock: Clock) => {
  const agents = { secure: newAgent(true), plain: newAgent(false) };
  return async (url: string, request: HttpRequest): Promise<WholeAnswer> => {
    const isSecure = url.startsWith('https:');
    const agent = isSecure ? agents.secure : agents.plain;
    // What is no text goes by `sendForm`.
    const body = typeof request.body === 'string' ? request.body : '';
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const headers = request.method === 'GET' ? request.headers : { ...request.headers, ...length };
    const { method, signal } = request;
    try {
      return await exchange({
        url,
        request: { method, signal, body, headers },
        clock,
        isSecure,
        agent,
        take: takeWhole,
      });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      throw new HttpFailure(error.message, { wasSent: error.wasSent });
    }
  };
};

export const createHttpTransport = ({ clock }: { readonly clock: Clock }): HttpTransport => {
  /** Until when the calls of a kind have to wait. */
  const closed = new Map<string, Pause>();
  const sendText = createTextSender(clock);
  let allClosed: Pause = { until: 0, ms: 0 };

  const pauseFor = (ms: number): Pause => ({ until: clock.now() + ms, ms });

  const close = (bucket: string, ms: number): void => remember(closed, bucket, pauseFor(ms), MAX_BUCKETS);

  const waitFor = (bucket: string): number => {
    // By a clock that was set back since, a pause must not last longer than was asked for.
    const left = ({ until, ms }: Pause): number => Math.min(ms, until - clock.now());
    return Math.max(0, left(allClosed), left(closed.get(bucket) ?? allClosed));
  };

  /** Learns from the headers, and rejects what the server refuses for its pace. */
  const obey = (bucket: string, { status, header, body }: WholeAnswer): void => {
    const resetMs = (secondsOf(header('x-ratelimit-reset-after')) ?? 0) * 1000 + MARGIN_MS;
    if (status !== 429) {
      if (header('x-ratelimit-remaining') === '0') close(bucket, resetMs);
      return;
    }
    const retryAfterMs = (secondsOf(header('retry-after')) ?? retryAfterIn(body) ?? 1) * 1000 + MARGIN_MS;
    if (header('x-ratelimit-global') !== undefined) allClosed = pauseFor(retryAfterMs);
    else close(bucket, retryAfterMs);
    throw new HttpFailure('Discord asks to wait (rate limit)', { wasSent: false, retryAfterMs });
  };

  return {
    async request(url, { method, headers, body, signal }) {
      const bucket = bucketOf(method, url);
      const retryAfterMs = waitFor(bucket);
      if (retryAfterMs > 0)
        throw new HttpFailure('the limit of Discord for such calls is reached', {
          wasSent: false,
          retryAfterMs,
        });
      const whole = typeof body === 'object' && body !== null ? sendForm : sendText;
      const answer = await whole(url, { method, headers, body, signal });
      obey(bucket, answer);
      return toResponse(answer);
    },
    async download(url, { begin, signal }) {
      const both = AbortSignal.any([begin, signal]);
      try {
        return await fetch(url, { signal: both, redirect: 'follow' });
      } catch (error) {
        signal.throwIfAborted();
        throw toHttpFailure(error, both);
      }
    },
  };
};

const retryAfterIn = (text: string): number | undefined => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'retry_after' in answer)
      return secondsOf(String(answer.retry_after));
  } catch {
    // Not JSON: no time was given.
  }
  return undefined;
};

/** With files: only `fetch` makes multipart of them. */
const sendForm = async (url: string, request: HttpRequest): Promise<WholeAnswer> => {
  try {
    // Followed redirects would hand the token to whoever is named there.
    const response = await fetch(url, { ...request, redirect: 'manual' });
    const body = await response.text();
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body };
  } catch (error) {
    throw toHttpFailure(error, request.signal);
  }
};

const toResponse = ({ status, header, body }: WholeAnswer): HttpResponse => {
  const ok = status >= 200 && status < 300;
  const isJson = header('content-type')?.startsWith('application/json') === true;
  // A proxy or a captive portal: what it says of the token or the channel is nothing that Discord said. Only its word
  // that an upload is too large holds, whoever says so.
  if (status < 500 && status !== 204 && status !== 413 && !isJson)
    throw new HttpFailure(`HTTP ${status}, and the answer is not from Discord`, { wasSent: ok });
  const json = body.trim() === '' || !isJson ? '{}' : body;
  return {
    status,
    statusText: '',
    ok,
    headers: { get: (name) => (name.toLowerCase() === 'content-type' ? 'application/json' : null) },
    body: null,
    bodyUsed: false,
    json: async () => JSON.parse(json) as unknown,
    text: async () => json,
    arrayBuffer: async () => new TextEncoder().encode(json).buffer,
  };
};
