/**
 * fetch as the client uses it, over node:http: the built-in one brings web streams, which cost more than all the rest of
 * a model call. It leaves to the built-in one what only that one knows: where a redirect leads and what may go along.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** As the built-in fetch keeps them: below the five seconds after which usual model servers close idle ones. */
const idleLimitMs = 4000;

/** What the client reads of a response. */
class HttpResponse {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  /** Bytes as they come; cut short, the iteration rejects. */
  readonly body: IncomingMessage & Pick<ReadableStream, 'cancel'>;

  constructor(url: string, message: IncomingMessage) {
    this.status = message.statusCode ?? 0;
    this.url = url;
    this.headers = fromRaw(message.rawHeaders);
    this.body = Object.assign(message, { cancel: async () => void message.destroy() });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.body) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8');
  }
}

/** The client's own are not copied: that costs more than to read them. */
const toHeaders = (headers: RequestInit['headers']): Headers =>
  headers instanceof Headers ? headers : new Headers(headers);

const fromRaw = (raw: readonly string[]): Headers => {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  return headers;
};

const isRedirect = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode >= 300 && statusCode < 400 && headers.location !== undefined;

/** One request and its response. A class, since closures would keep the body, the largest part, while the answer grows. */
class Exchange {
  readonly #url: string;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: unknown) => void;
  /** What a redirect would need; let go of when there is none. */
  #init: RequestInit | undefined;
  #open: { destroy(error?: Error): unknown } | undefined;
  readonly #onAbort = (): void => void this.#open?.destroy(this.#signal?.reason);

  constructor(
    url: string,
    init: RequestInit,
    { resolve, reject }: { resolve(response: Response): void; reject(error: unknown): void },
  ) {
    this.#url = url;
    this.#init = init;
    this.#signal = init.signal ?? undefined;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(agent: HttpAgent | HttpsAgent): void {
    const { method = 'GET', headers, body } = this.#init ?? {};
    const request = (agent instanceof HttpsAgent ? httpsRequest : httpRequest)(this.#url, {
      method,
      // What may be compressed has to be said: without a word anything may be.
      headers: { ...Object.fromEntries(toHeaders(headers)), 'accept-encoding': 'identity' },
      agent,
    });
    this.#open = request;
    request.on('error', (error) => {
      this.#end();
      this.#reject(error);
    });
    request.on('response', (message) => this.#answered(message));
    if (this.#signal?.aborted === true) {
      this.#onAbort();
      return;
    }
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    request.end(typeof body === 'string' ? body : undefined);
  }

  #answered(message: IncomingMessage): void {
    const init = this.#init;
    this.#init = undefined;
    if (isRedirect(message)) {
      this.#end();
      message.resume();
      fetch(this.#url, init).then(this.#resolve, this.#reject);
      return;
    }
    this.#open = message;
    message.once('close', () => this.#end());
    try {
      // The client reads no more of it than there is.
      this.#resolve(new HttpResponse(this.#url, message) as unknown as Response);
    } catch (error) {
      message.destroy();
      this.#reject(error);
    }
  }

  #end(): void {
    this.#init = undefined;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** For requests whose body is a text, as those of the client are. Rejects with the system's error, which has its code. */
export const createHttpFetch = (): typeof fetch => {
  const options = { keepAlive: true, timeout: idleLimitMs };
  const plain = new HttpAgent(options);
  const secure = new HttpsAgent(options);
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = String(input);
      new Exchange(url, init, { resolve, reject }).begin(url.startsWith('https:') ? secure : plain);
    });
};
