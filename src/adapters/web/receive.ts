/**
 * Keeps the page reachable until the signal aborts. A port that is taken is tried again for ever: the other platforms
 * go on, and the page comes up by itself once the port is free.
 */
import { GatewayError, PlatformError } from '../../core/errors.js';
import type { InboundEvent, InboundSink } from '../../core/inbound.js';
import type { RunOptions } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { createBackoff } from '../kit/backoff.js';
import { type Checked, failed, passed } from './http-problem.js';
import type { Listener } from './listen.js';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Where requests leave their events while the platform runs. */
export class Door {
  #sink: InboundSink | undefined;
  #report: RunOptions['report'] = () => {};
  #isFailing = false;

  open(sink: InboundSink, report: RunOptions['report']): void {
    this.#sink = sink;
    this.#report = report;
    this.#isFailing = false;
  }

  close(): void {
    this.#sink = undefined;
  }

  async deliver(event: InboundEvent): Promise<Checked<void>> {
    if (this.#sink === undefined)
      return failed(
        503,
        'unavailable',
        'The chat page is not running: it is starting, stopping, or switched off by platforms.web.enabled.',
      );
    const outcome = await this.#accept(this.#sink, event);
    if (outcome === 'refused')
      return failed(403, 'forbidden', 'The settings do not let the page write to the gateway.');
    return passed(undefined);
  }

  async #accept(sink: InboundSink, event: InboundEvent) {
    try {
      const [outcome] = await sink.accept([event]);
      if (this.#isFailing) this.#report({ state: 'connected' });
      this.#isFailing = false;
      return outcome;
    } catch (error) {
      this.#isFailing = true;
      const detail = error instanceof GatewayError ? error.userText : undefined;
      this.#report({
        state: 'unhealthy',
        detail:
          detail ?? 'Messages from the page cannot be stored; the page keeps them and sends them again.',
      });
      throw error;
    }
  }
}

export interface ReceiveDeps {
  readonly ports: Pick<AdapterPorts, 'clock' | 'logger'>;
  readonly door: Door;
  readonly listen: () => Promise<Listener>;
  /** Told the port while the page is reachable, undefined when it no longer is. */
  readonly onPort: (port: number | undefined) => void;
}

export const receive = async (
  { ports, door, listen, onPort }: ReceiveDeps,
  sink: InboundSink,
  { signal, report }: RunOptions,
): Promise<void> => {
  const backoff = createBackoff({ clock: ports.clock, firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS });
  report({ state: 'starting' });
  while (!signal.aborted) {
    try {
      const listener = await listen();
      onPort(listener.port);
      door.open(sink, report);
      report({ state: 'connected' });
      await aborted(signal);
      await listener.close();
      door.close();
      onPort(undefined);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // That it cannot is told once by the report, however often it is tried.
      ports.logger.debug({ error, retryMs: backoff.nextMs }, 'web page cannot listen');
      report({ state: 'unhealthy', detail: error.message });
      // Rejects only for the signal, which the loop looks at.
      await backoff.wait({ signal }).catch(() => {});
    }
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
