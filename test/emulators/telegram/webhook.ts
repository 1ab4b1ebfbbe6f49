/**
 * Brings updates to a webhook, one after the other. There is no clock: an update that was not taken is offered again
 * when the next one comes or when a test says so.
 */
import { request } from 'node:http';
import type { Update, UpdateQueue } from './update-queue.js';

export interface WebhookSpec {
  readonly url: string;
  readonly secret: string;
  readonly maxConnections: number;
}

export class Webhook {
  readonly #queue: UpdateQueue;
  readonly #touched: () => void;
  #spec: WebhookSpec | undefined;
  #isBusy = false;
  #lastError: { readonly at: number; readonly message: string } | undefined;
  /** Status of every answer, 0 where none came. */
  readonly answers: number[] = [];

  constructor(queue: UpdateQueue, touched: () => void) {
    this.#queue = queue;
    this.#touched = touched;
  }

  get spec(): WebhookSpec | undefined {
    return this.#spec;
  }

  get lastError(): { readonly at: number; readonly message: string } | undefined {
    return this.#lastError;
  }

  set(spec: WebhookSpec | undefined): void {
    this.#spec = spec;
    this.#lastError = undefined;
    void this.deliver();
  }

  /** Offers what waits, until something is not taken. */
  async deliver(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let update = this.#queue.next; update !== undefined; update = this.#queue.next) {
        const spec = this.#spec;
        // Addresses elsewhere are believed and never called.
        if (spec === undefined || !spec.url.startsWith('http:')) return;
        const status = await post(spec, update);
        this.answers.push(status);
        this.#touched();
        if (status < 200 || status > 299) {
          const message = status === 0 ? 'Connection refused' : `Wrong response from the webhook: ${status}`;
          this.#lastError = { at: Math.floor(Date.now() / 1000), message };
          return;
        }
        this.#queue.delivered(update);
      }
    } finally {
      this.#isBusy = false;
    }
  }
}

/** The status of the answer; 0 where none came. */
function post({ url, secret }: WebhookSpec, update: Update): Promise<number> {
  const body = JSON.stringify(update);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(secret === '' ? {} : { 'x-telegram-bot-api-secret-token': secret }),
  };
  return new Promise((resolve) => {
    const call = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', () => resolve(0));
    call.end(body);
  });
}
