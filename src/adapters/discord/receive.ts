/**
 * Listens at the gateway, with one owner of the connection: this loop.
 *
 * 1. The SDK resumes a lost connection by itself, and identifies anew where it cannot; then what was missed is fetched.
 * 2. Events leave in the order in which they came, one batch at a time. A batch that cannot be stored is offered until
 *    it is; what would be lost by a kill meanwhile is fetched at the next start, since it was not marked as read.
 * 3. Nothing but a refused token or intent ends the loop before its signal.
 */
import { isAbort, type PlatformError, StoreError } from '../../core/errors.js';
import type { IdSource } from '../../core/ids.js';
import type { InboundEvent, InboundSink } from '../../core/inbound.js';
import type { RunOptions } from '../../core/platform.js';
import { type Backoff, createBackoff } from '../kit/backoff.js';
import { fieldsOf } from '../kit/fields.js';
import type { Calls } from './calls.js';
import { type CatchUpPorts, fetchMissed } from './catch-up.js';
import { acknowledgePress } from './choices.js';
import { type Connection, type ConnectionNews, LoginFailure } from './client.js';
import { type DecodeContext, type DecodeSettings, decodeEdit, decodeMessage } from './decode.js';
import { decodeCommand, decodePress, readCall } from './decode-call.js';
import { toFatalError } from './errors.js';
import { idAt, isSnowflake } from './ids.js';
import type { LoopGuard } from './loop-guard.js';

export interface ReceiverPorts extends CatchUpPorts {
  readonly ids: IdSource;
  readonly calls: Calls;
  readonly guard: LoopGuard;
  readonly settings: DecodeSettings;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Discord moves connections every few hours; what is back within this time is nothing to tell. */
const RESUME_GRACE_MS = 10_000;
/** Heartbeats are answered every 41 s; a connection that is silent for so long is dead, whatever the SDK thinks. */
const STALL_MS = 300_000;
/** READY names the servers, which are told one by one; one that has an outage is told when that is over. */
const SERVERS_LIMIT_MS = 5_000;
/** How far Discord's clock and ours may differ, for what is fetched again and known already. */
const CLOCKS_DIFFER_MS = 60_000;
/** Events of one call to the sink: few enough that a flood lets the other platforms' work come between. */
const BATCH_SIZE = 20;

interface Dispatch {
  readonly type: string;
  readonly data: unknown;
}

/** Receives until the signal aborts; rejects only when Discord refuses the token or the intents. */
export const receive = (ports: ReceiverPorts, sink: InboundSink, options: RunOptions): Promise<void> =>
  new Receiver(ports, sink, options).run();

class Receiver {
  readonly #ports: ReceiverPorts;
  readonly #sink: InboundSink;
  readonly #signal: AbortSignal;
  readonly #report: RunOptions['report'];
  readonly #networkPause: Backoff;
  readonly #storePause: Backoff;
  readonly #waiting: Dispatch[] = [];
  #connection: Connection | undefined;
  #isConnected = false;
  /** Set by READY: something may have been missed. */
  #isFresh = false;
  #pumping: Promise<void> | undefined;
  #fatal: PlatformError | undefined;
  /** Ends the wait for the connection's end. */
  #endConnection: () => void = () => undefined;

  constructor(ports: ReceiverPorts, sink: InboundSink, { signal, report }: RunOptions) {
    this.#ports = ports;
    this.#sink = sink;
    this.#signal = signal;
    this.#report = report;
    const pauses = { clock: ports.clock, firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS };
    this.#networkPause = createBackoff(pauses);
    this.#storePause = createBackoff(pauses);
  }

  async run(): Promise<void> {
    try {
      await this.#ports.seen.load();
      while (!this.#signal.aborted) await this.#listen();
    } catch (error) {
      if (!isAbort(error, this.#signal)) throw error;
    } finally {
      await this.#connection?.close();
      await this.#pumping;
      await this.#ports.seen.save();
    }
  }

  /** One connection, from login to its end. */
  async #listen(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#endConnection = resolve;
    });
    const onAbort = (): void => this.#endConnection();
    this.#signal.addEventListener('abort', onAbort, { once: true });
    const watch = new AbortController();
    try {
      this.#connection = await this.#ports.client.connect({
        dispatch: (type, data) => this.#take(type, data),
        news: (news) => this.#hear(news),
      });
      // Rejects when it is called off, which is its usual end.
      this.#watchForStalls(this.#connection, watch.signal).catch(() => undefined);
      await ended;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof LoginFailure)) throw error;
      this.#fatal ??= toFatalError(error.code);
      if (this.#fatal === undefined) await this.#pauseAfter(error);
    } finally {
      watch.abort();
      this.#signal.removeEventListener('abort', onAbort);
      const connection = this.#connection;
      this.#connection = undefined;
      await connection?.close();
    }
    if (this.#fatal !== undefined) this.#giveUp(this.#fatal);
  }

  #take(type: string, data: unknown): void {
    const { places, calls } = this.#ports;
    places.learn(type, data);
    if (type !== 'MESSAGE_CREATE' && type !== 'MESSAGE_UPDATE' && type !== 'INTERACTION_CREATE') return;
    const call = type === 'INTERACTION_CREATE' ? readCall(data) : undefined;
    // Within three seconds, so before anything that takes time.
    if (call?.kind === 'command') calls.acknowledge(call, this.#signal);
    if (call?.kind === 'press') void acknowledgePress(this.#ports.client, call, this.#signal);
    this.#waiting.push({ type, data });
    this.#pump();
  }

  #hear(news: ConnectionNews): void {
    switch (news.kind) {
      case 'ready':
        this.#isFresh = true;
        this.#connected();
        this.#pump();
        break;
      case 'resumed':
        this.#connected();
        break;
      case 'lost':
        this.#isConnected = false;
        this.#tellIfGone().catch(() => undefined);
        break;
      case 'ended':
        this.#isConnected = false;
        this.#fatal = toFatalError(news.code);
        this.#endConnection();
        break;
      default:
        news satisfies never;
    }
  }

  #connected(): void {
    this.#isConnected = true;
    this.#networkPause.reset();
    this.#report({ state: 'connected' });
  }

  async #tellIfGone(): Promise<void> {
    await this.#ports.clock.sleep(RESUME_GRACE_MS, { signal: this.#signal });
    if (this.#isConnected) return;
    this.#report({
      state: 'unhealthy',
      detail:
        'The connection to Discord is lost; it is being taken up again. Messages meanwhile are not lost.',
    });
  }

  /** Only one at a time, so that the order holds. */
  #pump(): void {
    this.#pumping ??= this.#handOver()
      .catch((error: unknown) => {
        if (isAbort(error, this.#signal)) return;
        this.#ports.logger.error({ error }, 'received messages could not be read');
      })
      .finally(() => {
        this.#pumping = undefined;
        if ((this.#waiting.length > 0 || this.#isFresh) && !this.#signal.aborted) this.#pump();
      });
  }

  async #handOver(): Promise<void> {
    let reachedAt: number | undefined;
    while (!this.#signal.aborted) {
      if (this.#isFresh) {
        this.#isFresh = false;
        reachedAt = this.#ports.clock.now() - CLOCKS_DIFFER_MS;
        await this.#untilServersAreTold();
        const missed = await fetchMissed(this.#ports, this.#signal);
        this.#waiting.unshift(...missed.map((data) => ({ type: 'MESSAGE_CREATE', data })));
      }
      const batch = this.#waiting.splice(0, BATCH_SIZE);
      if (batch.length === 0) {
        // Only now: a kill before it has the same fetched again.
        if (reachedAt === undefined) break;
        this.#ports.seen.reach(idAt(reachedAt));
        void this.#ports.seen.save();
        break;
      }
      for (const { data } of batch) await this.#findPlace(data);
      await this.#store(
        batch.map((dispatch) => this.#decode(dispatch)).filter((event) => event !== undefined),
      );
      for (const { type, data } of batch) if (type === 'MESSAGE_CREATE') this.#mark(data);
      this.#ports.seen.saveSoon(this.#signal);
    }
  }

  async #untilServersAreTold(): Promise<void> {
    const { places, clock } = this.#ports;
    const told = new AbortController();
    const signal = AbortSignal.any([this.#signal, told.signal]);
    try {
      await Promise.race([places.allTold(), clock.sleep(SERVERS_LIMIT_MS, { signal })]);
    } finally {
      told.abort();
    }
  }

  /** A thread that nobody told us of is asked for: its channel decides who may write and what is one conversation. */
  async #findPlace(data: unknown): Promise<void> {
    const { client, places } = this.#ports;
    const fields = fieldsOf(data);
    const channel = fields?.['channel_id'];
    if (fields?.['guild_id'] === undefined || !isSnowflake(channel) || places.find(channel) !== undefined)
      return;
    const result = await client.call({ verb: 'GET', path: `/channels/${channel}` }, { signal: this.#signal });
    if (result.ok) places.learnChannel(fieldsOf(result.value) ?? {});
  }

  #decode({ type, data }: Dispatch): InboundEvent | undefined {
    const { account, places, settings, ids, clock, guard } = this.#ports;
    const context: DecodeContext = {
      account,
      places,
      settings,
      receivedAt: clock.now(),
      correlation: ids.next('correlation'),
    };
    if (type === 'MESSAGE_UPDATE') return decodeEdit(data, context);
    if (type === 'INTERACTION_CREATE') return decodePress(data, context) ?? decodeCommand(data, context);
    const event = decodeMessage(data, context);
    return event !== undefined && guard.admits(event) ? event : undefined;
  }

  #mark(data: unknown): void {
    const { id, channel_id: channel } = fieldsOf(data) ?? {};
    if (isSnowflake(id) && isSnowflake(channel)) this.#ports.seen.mark(channel, id);
  }

  /** Offers the same batch until it is stored. */
  async #store(events: readonly InboundEvent[]): Promise<void> {
    if (events.length === 0) return;
    for (;;) {
      try {
        await this.#sink.accept(events);
        if (!this.#isConnected && this.#connection !== undefined) this.#connected();
        return this.#storePause.reset();
      } catch (error) {
        if (isAbort(error, this.#signal)) throw error;
        const reason = error instanceof StoreError ? error.message : 'an unexpected error, see the log';
        this.#ports.logger.error({ error, events: events.length }, 'received messages could not be stored');
        this.#isConnected = false;
        this.#report({
          state: 'unhealthy',
          detail: `Messages cannot be stored: ${reason}. They are kept and offered again.`,
        });
        await this.#storePause.wait({ signal: this.#signal });
      }
    }
  }

  #giveUp(error: PlatformError): never {
    this.#report({ state: 'stopped', detail: error.message });
    throw error;
  }

  async #pauseAfter(failure: LoginFailure): Promise<void> {
    this.#isConnected = false;
    this.#report({
      state: 'unhealthy',
      detail: `Discord cannot be reached (${failure.message}). Trying again at least once a minute.`,
    });
    await this.#networkPause.wait({ signal: this.#signal });
  }

  async #watchForStalls(connection: Connection, signal: AbortSignal): Promise<void> {
    for (;;) {
      const heardAt = connection.heardAt();
      await this.#ports.clock.sleep(STALL_MS, { signal });
      if (connection.heardAt() !== heardAt) continue;
      this.#ports.logger.warn(
        { silentMs: STALL_MS },
        'the connection to Discord went silent; opening a new one',
      );
      this.#isConnected = false;
      this.#endConnection();
      return;
    }
  }
}
