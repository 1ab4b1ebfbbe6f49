/**
 * Updates that Telegram brings. Listens first and registers then, and looks after the registration: another program may
 * take it away, and Telegram alone knows whether its calls arrive.
 */
import { isAbort } from '../../core/errors.js';
import type { InboundSink } from '../../core/inbound.js';
import type { RunOptions } from '../../core/platform.js';
import { type Backoff, createBackoff } from '../kit/backoff.js';
import type { CallFailure } from './client.js';
import { decodedUpdates } from './decode.js';
import { isTokenRefused, toPlatformError } from './errors.js';
import { readBatch, storeBatch } from './intake.js';
import type { BotIdentity } from './mentions.js';
import type { ReceiverPorts } from './receive.js';
import { openWebhookListener, type WebhookListener } from './webhook-listener.js';

export interface WebhookAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

const CHECK_EVERY_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** One after the other: side by side, a message could overtake the one before it. */
const MAX_CONNECTIONS = 1;

/** Receives until the signal aborts; rejects only when Telegram refuses the token. */
export const receiveByWebhook = (
  address: WebhookAddress,
  ports: ReceiverPorts,
  sink: InboundSink,
  options: RunOptions,
): Promise<void> => new WebhookReceiver(address, ports, sink, options).run();

class WebhookReceiver {
  readonly #address: WebhookAddress;
  readonly #ports: ReceiverPorts;
  readonly #sink: InboundSink;
  readonly #options: RunOptions;
  readonly #pause: Backoff;
  #bot: BotIdentity | undefined;

  constructor(address: WebhookAddress, ports: ReceiverPorts, sink: InboundSink, options: RunOptions) {
    this.#address = address;
    this.#ports = ports;
    this.#sink = sink;
    this.#options = options;
    this.#pause = createBackoff({ clock: ports.clock, firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    let listener: WebhookListener | undefined;
    try {
      listener = await this.#listen();
      for (;;) {
        if (await this.#register()) await this.#watch();
      }
    } catch (error) {
      if (!isAbort(error, signal)) throw error;
    } finally {
      await listener?.close();
    }
  }

  async #listen(): Promise<WebhookListener> {
    const { host, port, secret, url } = this.#address;
    const path = new URL(url).pathname;
    for (;;) {
      try {
        return await openWebhookListener({
          host,
          port,
          path,
          secret,
          take: (update) => this.#take(update),
        });
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
        await this.#wait(
          `The webhook cannot listen on ${host}:${port} (${code}). Free the port or set platforms.telegram.webhook.port.`,
        );
      }
    }
  }

  /** False after a failure and a pause. */
  async #register(): Promise<boolean> {
    const { client, logger } = this.#ports;
    const { signal } = this.#options;
    const identified = await client.call('getMe', {}, { signal });
    if (!identified.ok) return this.#recover(identified.failure);
    const { id, username } = identified.value;
    this.#bot = { id, username };
    const { url, secret } = this.#address;
    const payload = {
      url,
      secret_token: secret,
      allowed_updates: decodedUpdates,
      max_connections: MAX_CONNECTIONS,
    };
    const registered = await client.call('setWebhook', payload, { signal });
    if (!registered.ok) return this.#recover(registered.failure);
    logger.info({ bot: username }, 'telegram webhook is set');
    this.#pause.reset();
    this.#options.report({ state: 'connected' });
    return true;
  }

  /** Returns when the webhook has to be set again. */
  async #watch(): Promise<void> {
    const { client, clock, logger } = this.#ports;
    const { signal, report } = this.#options;
    for (;;) {
      await clock.sleep(CHECK_EVERY_MS, { signal });
      const result = await client.call('getWebhookInfo', {}, { signal });
      if (!result.ok) return void (await this.#recover(result.failure));
      const { url, last_error_date: failedAt, last_error_message: reason } = result.value;
      if (url !== this.#address.url) {
        logger.warn({}, 'the webhook was changed by another program and is set again');
        return;
      }
      const isFailing = failedAt !== undefined && clock.now() - failedAt * 1000 < CHECK_EVERY_MS;
      if (isFailing) {
        report({
          state: 'unhealthy',
          detail: `Telegram cannot reach the webhook: ${reason ?? 'no reason given'}. Messages wait at Telegram.`,
        });
      } else report({ state: 'connected' });
    }
  }

  async #take(update: unknown): Promise<boolean> {
    const bot = this.#bot;
    if (bot === undefined || this.#options.signal.aborted) return false;
    const { logger } = this.#ports;
    try {
      await storeBatch(readBatch(this.#ports, bot, [update]), this.#sink, this.#options.onMoved);
      this.#options.report({ state: 'connected' });
      return true;
    } catch (error) {
      logger.error({ error }, 'a received update could not be stored');
      this.#options.report({
        state: 'unhealthy',
        detail: 'Messages cannot be stored. They wait at Telegram, nothing is lost.',
      });
      return false;
    }
  }

  async #recover(failure: CallFailure): Promise<false> {
    const error = toPlatformError(failure);
    if (isTokenRefused(failure)) {
      this.#options.report({ state: 'stopped', detail: error.message });
      throw error;
    }
    this.#ports.client.renew();
    await this.#wait(`Telegram is not reached (${error.message}). Trying again at least once a minute.`);
    return false;
  }

  async #wait(detail: string): Promise<void> {
    this.#options.report({ state: 'unhealthy', detail });
    await this.#pause.wait({ signal: this.#options.signal });
  }
}
