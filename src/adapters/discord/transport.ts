/**
 * HTTP under the SDK's REST client, for three reasons:
 * 1. It knows whether a request may have been carried out when no answer came.
 * 2. A 429 comes back at once with its time, and no call of that kind leaves before: waiting is for the outbox.
 * 3. What it says of a failure carries no address, and with it no token.
 */
import type { Clock } from '../../core/clock.js';
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
  readonly headers: Headers;
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

const secondsOf = (text: string | null): number | undefined => {
  const seconds = text === null || text === '' ? Number.NaN : Number(text);
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

export const createHttpTransport = ({ clock }: { readonly clock: Clock }): HttpTransport => {
  /** Until when the calls of a kind have to wait. */
  const closed = new Map<string, Pause>();
  let allClosed: Pause = { until: 0, ms: 0 };

  const pauseFor = (ms: number): Pause => ({ until: clock.now() + ms, ms });

  const close = (bucket: string, ms: number): void => remember(closed, bucket, pauseFor(ms), MAX_BUCKETS);

  const waitFor = (bucket: string): number => {
    // By a clock that was set back since, a pause must not last longer than was asked for.
    const left = ({ until, ms }: Pause): number => Math.min(ms, until - clock.now());
    return Math.max(0, left(allClosed), left(closed.get(bucket) ?? allClosed));
  };

  /** Learns from the headers, and rejects what the server refuses for its pace. */
  const obey = (bucket: string, response: Response, text: string): void => {
    const { headers, status } = response;
    const resetMs = (secondsOf(headers.get('x-ratelimit-reset-after')) ?? 0) * 1000 + MARGIN_MS;
    if (status !== 429) {
      if (headers.get('x-ratelimit-remaining') === '0') close(bucket, resetMs);
      return;
    }
    const retryAfterMs =
      (secondsOf(headers.get('retry-after')) ?? retryAfterIn(text) ?? 1) * 1000 + MARGIN_MS;
    if (headers.get('x-ratelimit-global') !== null) allClosed = pauseFor(retryAfterMs);
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
      let response: Response;
      let text: string;
      try {
        // Followed redirects would hand the token to whoever is named there.
        response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
        text = await response.text();
      } catch (error) {
        throw toHttpFailure(error, signal);
      }
      obey(bucket, response, text);
      return toResponse(response, text);
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

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') === true;

const toResponse = (response: Response, text: string): HttpResponse => {
  const { status, statusText, ok } = response;
  // A proxy or a captive portal: what it says of the token or the channel is nothing that Discord said. Only its word
  // that an upload is too large holds, whoever says so.
  if (status < 500 && status !== 204 && status !== 413 && !isJson(response))
    throw new HttpFailure(`HTTP ${status}, and the answer is not from Discord`, { wasSent: ok });
  const headers = new Headers({ 'content-type': 'application/json' });
  const json = text.trim() === '' || !isJson(response) ? '{}' : text;
  return {
    status,
    statusText,
    ok,
    headers,
    body: null,
    bodyUsed: false,
    json: async () => JSON.parse(json) as unknown,
    text: async () => json,
    arrayBuffer: async () => new TextEncoder().encode(json).buffer,
  };
};
