/**
 * Keeps one platform running: creates its adapter, runs it, begins again after a failure, and knows how it is.
 * One platform's failure never touches another.
 */
import type { ChatMove } from '../core/chat-move.js';
import type { Clock } from '../core/clock.js';
import { GatewayError, isAbort } from '../core/errors.js';
import { growingDelay } from '../core/growing-delay.js';
import type { InboundSink } from '../core/inbound.js';
import type { Logger } from '../core/logger.js';
import type { CommandInfo, CommandMenuFacet, ConnectionStatus, PlatformAdapter } from '../core/platform.js';
import type { AdapterStatus, GatewayServices } from '../core/services.js';
import type { GatewayPlatform } from './settings.js';

const delays = { firstMs: 1_000, maxMs: 60_000 };
/** Between tries to publish the command menu; without it every command works all the same. */
const MENU_PAUSE_MS = 600_000;

export interface SupervisorDeps {
  readonly platform: GatewayPlatform;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly commands: readonly CommandInfo[];
  /** A chat of this platform goes on under another id; resolves when that is stored. */
  onMoved(move: ChatMove): Promise<unknown>;
}

export class Supervisor {
  readonly platform: GatewayPlatform;
  readonly #deps: SupervisorDeps;
  #adapter: PlatformAdapter | undefined;
  #status: ConnectionStatus = { state: 'starting' };
  #since: number;
  #disconnects = 0;
  #lastInboundAt: number | undefined;
  #lastSentAt: number | undefined;
  #droppedStrangerEvents = 0;
  /** Infinite once the menu is published, or on its way. */
  #menuDueAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(deps: SupervisorDeps) {
    this.platform = deps.platform;
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  /** Undefined until {@link create} succeeded. */
  get adapter(): PlatformAdapter | undefined {
    return this.#adapter;
  }

  get status(): AdapterStatus {
    const { id, title } = this.platform;
    return {
      platform: id,
      title,
      ...this.#status,
      since: this.#since,
      disconnects: this.#disconnects,
      ...(this.#lastInboundAt !== undefined && { lastInboundAt: this.#lastInboundAt }),
      ...(this.#lastSentAt !== undefined && { lastSentAt: this.#lastSentAt }),
      ...(this.#droppedStrangerEvents > 0 && { droppedStrangerEvents: this.#droppedStrangerEvents }),
    };
  }

  noteInbound(): void {
    this.#lastInboundAt = this.#deps.clock.now();
  }

  noteDroppedStranger(): void {
    this.#droppedStrangerEvents += 1;
  }

  noteSent(): void {
    this.#lastSentAt = this.#deps.clock.now();
  }

  /** Loads the platform. Never rejects: one that cannot be loaded is out of service and says why. */
  async create(services: GatewayServices): Promise<void> {
    try {
      this.#adapter = await this.platform.create(services);
    } catch (error) {
      this.#deps.logger.error({ platform: this.platform.id, error }, 'platform cannot be loaded');
      this.#report({ state: 'stopped', detail: describe(error) });
    }
  }

  /** Receives until the signal aborts. Never rejects. */
  async run(sink: InboundSink, signal: AbortSignal): Promise<void> {
    const adapter = this.#adapter;
    if (adapter === undefined) return;
    const { clock, logger } = this.#deps;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const startedAt = clock.now();
      try {
        const { platform, account } = adapter;
        await adapter.run(sink, {
          signal,
          report: (status) => this.#onReport(adapter, status, signal),
          onMoved: async (move) => void (await this.#deps.onMoved({ platform, account, ...move })),
        });
        if (signal.aborted) break;
        throw new Error('the platform stopped receiving without a reason');
      } catch (error) {
        if (isAbort(error, signal)) break;
        logger.error({ platform: this.platform.id, error }, 'platform failed');
        if (error instanceof GatewayError && error.retry.kind === 'never') {
          this.#report({ state: 'stopped', detail: describe(error) });
          return;
        }
        this.#report({ state: 'unhealthy', detail: `${describe(error)} It is started again.` });
        // One that ran for long is not in a crash loop.
        if (clock.now() - startedAt > delays.maxMs) failures = 1;
        await clock.sleep(growingDelay(failures, delays), { signal }).catch(() => {});
      }
    }
    this.#isStopping = true;
    this.#report({ state: 'stopped', detail: 'The gateway is stopping.' });
  }

  #onReport(adapter: PlatformAdapter, status: ConnectionStatus, signal: AbortSignal): void {
    this.#report(status);
    if (status.state === 'connected' && adapter.commandMenu !== undefined)
      void this.#publishMenu(adapter.commandMenu, signal);
  }

  /** Never rejects. A menu that was refused is offered again, at a proof of life and not too soon. */
  async #publishMenu(menu: CommandMenuFacet, signal: AbortSignal): Promise<void> {
    const { clock, logger, commands } = this.#deps;
    if (clock.now() < this.#menuDueAt) return;
    this.#menuDueAt = Number.POSITIVE_INFINITY;
    try {
      await menu.publish(commands, { signal });
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ platform: this.platform.id, error }, 'command menu not published');
      this.#menuDueAt = clock.now() + MENU_PAUSE_MS;
    }
  }

  #report(status: ConnectionStatus): void {
    const { clock, logger } = this.#deps;
    const isChange = status.state !== this.#status.state || status.detail !== this.#status.detail;
    if (!isChange) return;
    if (this.#status.state === 'connected') this.#disconnects += 1;
    if (status.state !== this.#status.state) this.#since = clock.now();
    this.#status = status;
    const isWell = status.state === 'connected' || status.state === 'starting' || this.#isStopping;
    logger[isWell ? 'info' : 'warn']({ platform: this.platform.id, ...status }, 'platform status changed');
  }
}

const describe = (error: unknown): string => {
  if (error instanceof GatewayError) return error.userText ?? error.message;
  return error instanceof Error ? error.message : String(error);
};
