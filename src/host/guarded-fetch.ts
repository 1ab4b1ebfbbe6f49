/**
 * Fetches what a model names, from the public internet only.
 * 1. Every address that a name stands for is judged, and the connection goes to the very address that was judged, so
 *    that a name cannot lead elsewhere a moment later.
 * 2. A redirect is a new request and judged like the first.
 * 3. Nothing of ours goes along: only GET, no cookies, no credentials, no proxy of the environment.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock } from '../core/clock.js';
import { never, ToolError } from '../core/errors.js';
import { isPublicAddress } from './public-address.js';

const MAX_REDIRECTS = 5;
/** From the call to the last byte. */
const TIME_LIMIT_MS = 60_000;

export interface GuardedResponse {
  /** As named by the server or the address; undefined if neither does. */
  readonly fileName: string | undefined;
  readonly mimeType: string | undefined;
  /** To be read to its end or left by `return`; rejects like the fetch. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Rejects with a ToolError that says in one sentence what is wrong, or with the signal's reason. */
export type GuardedFetch = (
  url: string,
  options: { readonly signal: AbortSignal; readonly maxBytes: number },
) => Promise<GuardedResponse>;

interface GuardedFetchOptions {
  readonly clock: Clock;
  /** Default: the host's resolver. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Lets servers of this host be fetched from, in tests; no setting leads here. Default: none. */
  readonly isExempt?: (address: string, port: number) => boolean;
}

const refuse = (code: ToolError['code'], message: string): ToolError =>
  new ToolError({ code, message, retry: never });

const parse = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw refuse('invalid-input', 'its address is not valid');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('not-allowed', 'only http and https addresses are fetched');
  if (url.username !== '' || url.password !== '')
    throw refuse('not-allowed', 'its address carries credentials');
  return url;
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/gu, '');
const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

const resolveByHost = (host: string): Promise<readonly LookupAddress[]> => lookup(host, { all: true });

/** The address to connect to. One bad address among good ones is a trap, so all have to be public. */
const judge = async (url: URL, options: GuardedFetchOptions): Promise<LookupAddress> => {
  const { resolve = resolveByHost, isExempt = () => false } = options;
  const host = hostOf(url);
  const family = isIP(host);
  let addresses: readonly LookupAddress[];
  try {
    addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  } catch {
    throw refuse('failed', 'its host is not known');
  }
  const [first] = addresses;
  if (first === undefined) throw refuse('failed', 'its host is not known');
  const isOpen = addresses.every(({ address }) => isPublicAddress(address) || isExempt(address, portOf(url)));
  if (!isOpen) throw refuse('not-allowed', 'its address is not on the public internet');
  return first;
};

const get = (url: URL, { address, family }: LookupAddress, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const pinned: LookupFunction = (_host, { all }, callback) =>
      all === true ? callback(null, [{ address, family }]) : callback(null, address, family);
    const begin = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'hermes-gateway' };
    const request = begin(url, { agent: false, lookup: pinned, signal, headers }, resolve);
    request.on('error', reject);
    request.end();
  });

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const nameFrom = (url: URL, disposition: string | undefined): string | undefined => {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/iu.exec(disposition ?? '') ?? [];
  const [, plain] = /filename="?([^";]+)"?/iu.exec(disposition ?? '') ?? [];
  const name = encoded ?? plain ?? url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name;
  }
};

/** An abort of ours for a time limit, beside the caller's own. */
class TimeLimit {
  readonly #done = new AbortController();
  readonly #expired = new AbortController();
  readonly signal: AbortSignal;

  constructor(clock: Clock, outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#expired.signal]);
    void clock.sleep(TIME_LIMIT_MS, { signal: this.#done.signal }).then(
      () => this.#expired.abort(refuse('failed', `it did not arrive within ${TIME_LIMIT_MS / 1000} seconds`)),
      () => {},
    );
  }

  end(): void {
    this.#done.abort(new Error('the fetch is over'));
  }

  /** What to tell of an error: the abort's reason, a sentence of ours, or what the network said. */
  toError(error: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason;
    if (error instanceof ToolError) return error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return refuse('failed', `its server cannot be reached${code}`);
  }
}

async function* read(
  answer: IncomingMessage,
  maxBytes: number,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  try {
    for await (const chunk of answer) {
      // Without an encoding a response gives buffers.
      const bytes = chunk as Buffer;
      sizeBytes += bytes.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      yield bytes;
    }
    if (!answer.complete) throw refuse('failed', 'its server broke off');
  } catch (error) {
    throw limit.toError(error);
  } finally {
    limit.end();
    answer.destroy();
  }
}

const tooLarge = (maxBytes: number): ToolError =>
  refuse('invalid-input', `it is larger than ${Math.round(maxBytes / 1_048_576)} MB`);

export const createGuardedFetch = (options: GuardedFetchOptions): GuardedFetch => {
  const follow = async (from: URL, maxBytes: number, limit: TimeLimit): Promise<GuardedResponse> => {
    let url = from;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      limit.signal.throwIfAborted();
      const answer = await get(url, await judge(url, options), limit.signal);
      const { statusCode: status = 0, headers } = answer;
      if (isRedirect(status) && headers.location !== undefined) {
        answer.destroy();
        const base = url.href;
        const isValid = URL.canParse(headers.location, base);
        url = parse(isValid ? new URL(headers.location, base).href : '');
        continue;
      }
      const isFitting = !(Number(headers['content-length']) > maxBytes);
      if (status === 200 && isFitting)
        return {
          fileName: nameFrom(url, headers['content-disposition']),
          mimeType: headers['content-type'],
          bytes: read(answer, maxBytes, limit),
        };
      answer.destroy();
      throw isFitting ? refuse('failed', `its server answers ${status}`) : tooLarge(maxBytes);
    }
    throw refuse('failed', 'its server redirects without end');
  };
  return async (text, { signal, maxBytes }) => {
    signal.throwIfAborted();
    const limit = new TimeLimit(options.clock, signal);
    try {
      return await follow(parse(text), maxBytes, limit);
    } catch (error) {
      limit.end();
      throw limit.toError(error);
    }
  };
};
