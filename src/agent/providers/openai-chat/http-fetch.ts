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

/** For requests whose body is a text, as those of the client are. Rejects with the system's error, which has its code. */
export const createHttpFetch = (): typeof fetch => {
  const options = { keepAlive: true, timeout: idleLimitMs };
  const plain = new HttpAgent(options);
  const secure = new HttpsAgent(options);
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = String(input);
      const { method = 'GET', signal, body } = init;
      const isSecure = url.startsWith('https:');
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method,
        // What may be compressed has to be said: without a word anything may be.
        headers: { ...Object.fromEntries(toHeaders(init.headers)), 'accept-encoding': 'identity' },
        agent: isSecure ? secure : plain,
      });
      let open: { destroy(error?: Error): unknown } = request;
      const onAbort = (): void => void open.destroy(signal?.reason);
      const close = (): void => signal?.removeEventListener('abort', onAbort);
      request.on('error', (error) => {
        close();
        reject(error);
      });
      request.on('response', (message) => {
        if (isRedirect(message)) {
          close();
          message.resume();
          fetch(url, init).then(resolve, reject);
          return;
        }
        open = message;
        message.once('close', close);
        try {
          // The client reads no more of it than there is.
          resolve(new HttpResponse(url, message) as unknown as Response);
        } catch (error) {
          message.destroy();
          reject(error);
        }
      });
      if (signal?.aborted === true) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      request.end(typeof body === 'string' ? body : undefined);
    });
};
