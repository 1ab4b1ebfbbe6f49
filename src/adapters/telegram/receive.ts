/**
 * Long polling with one owner: this loop, and nothing else, calls getUpdates.
 *
 * 1. The offset moves, which deletes updates at Telegram, only after their events are stored.
 * 2. Only a completed poll proves that we hear. A call of another kind may well succeed while polling is dead.
 * 3. Every poll is bounded, every pause is capped, and nothing but a refused token ends the loop before its signal.
 * 4. After a failed connection the next poll opens a new one; a bad pooled one would fail for ever.
 */
import { setImmediate } from 'node:timers/promises';
import { isAbort, type PlatformError, StoreError } from '../../core/errors.js';
import type { InboundSink } from '../../core/inbound.js';
import type { RunOptions } from '../../core/platform.js';
import { type Backoff, createBackoff } from '../kit/backoff.js';
import { fieldsOf, integerOf, listOf } from '../kit/fields.js';
import type { CallFailure, CallResult, TelegramClient } from './client.js';
import { decodedUpdates } from './decode.js';
import { isTokenRefused, toPlatformError } from './errors.js';
import { type Batch, type IntakePorts, readBatch, storeBatch } from './intake.js';
import type { BotIdentity } from './mentions.js';

/** How long Telegram holds a poll without news. Its own advice for clients is half a minute. */
const POLL_SECONDS = 30;
/** Longer than that plus the slowest answer: then the connection is dead, whatever the socket says. */
const POLL_GUARD_MS = 15_000;
/** A long poll without news that comes back sooner was not held; this long a pause stands in for it. */
const HURRIED_POLL_MS = 1_000;
/** Without a completed poll for this long something beside the connection hangs, such as the store. */
const STALL_MS = 120_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** The last word at a stop must not hold it up. */
const CONFIRM_LIMIT_MS = 1_000;
const BATCH_SIZE = 100;
const FLAP_WINDOW_MS = 3_600_000;
const MANY_FLAPS = 3;

export interface ReceiverPorts extends IntakePorts {
  readonly client: TelegramClient;
}

/** Receives until the signal aborts; rejects only when Telegram refuses the token. */
export const receive = (ports: ReceiverPorts, sink: InboundSink, options: RunOptions): Promise<void> =>
  new Receiver(ports, sink, options).run();

class Receiver {
  readonly #ports: ReceiverPorts;
  readonly #sink: InboundSink;
  readonly #signal: AbortSignal;
  readonly #report: RunOptions['report'];
  readonly #onMoved: RunOptions['onMoved'];
  readonly #networkPause: Backoff;
  readonly #conflictPause: Backoff;
  readonly #storePause: Backoff;
  #bot: BotIdentity | undefined;
  #offset: number | undefined;
  #confirmedOffset: number | undefined;
  #isConnected = false;
  #completedPolls = 0;
  #lastConflictAt = Number.NEGATIVE_INFINITY;
  /** When conflicts broke a connection that had worked. */
  #flapsAt: readonly number[] = [];
  #hasDeletedWebhook = false;

  constructor(ports: ReceiverPorts, sink: InboundSink, { signal, report, onMoved }: RunOptions) {
    this.#ports = ports;
    this.#sink = sink;
    this.#signal = signal;
    this.#report = report;
    this.#onMoved = onMoved;
    const { clock } = ports;
    const pauses = { clock, firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS };
    this.#networkPause = createBackoff(pauses);
    this.#conflictPause = createBackoff(pauses);
    this.#storePause = createBackoff(pauses);
  }

  async run(): Promise<void> {
    const watch = new AbortController();
    // Rejects when it is called off, which is its only end.
    this.#watchForStalls(watch.signal).catch(() => undefined);
    try {
      while (!this.#signal.aborted) await this.#cycle();
    } catch (error) {
      if (!isAbort(error, this.#signal)) throw error;
    } finally {
      watch.abort();
      await this.#confirm();
    }
  }

  /** One poll and what follows from it. */
  async #cycle(): Promise<void> {
    const offset = this.#offset;
    const { clock } = this.#ports;
    const wasConnected = this.#isConnected;
    const askedAt = clock.now();
    const [identified, polled] = await Promise.all([this.#identify(), this.#poll(offset)]);
    if (!identified.ok) return this.#recover(identified.failure);
    if (!polled.ok) return this.#recover(polled.failure);
    this.#completedPolls += 1;
    this.#confirmedOffset = offset;
    const updates = listOf(polled.value);
    const lastId = Math.max(...updates.map((update) => integerOf(fieldsOf(update)?.['update_id']) ?? -1));
    if (updates.length > 0 && lastId < 0) {
      return this.#pause(
        'getUpdates gave updates without ids; is api_root a Bot API server?',
        this.#networkPause,
      );
    }
    await this.#store(readBatch(this.#ports, identified.value, updates));
    if (updates.length > 0) this.#offset = lastId + 1;
    this.#connected();
    // The next poll's request is made behind what the messages set going, not in front of it.
    if (updates.length > 0) await setImmediate();
    // A server that does not hold polls would be asked thousands of times a second.
    const isHurried = updates.length === 0 && wasConnected && clock.now() - askedAt < HURRIED_POLL_MS;
    if (isHurried) await clock.sleep(HURRIED_POLL_MS, { signal: this.#signal });
  }

  /** The name is needed to see who is meant in a group; it does not change while we run. */
  async #identify(): Promise<CallResult<BotIdentity>> {
    if (this.#bot !== undefined) return { ok: true, value: this.#bot };
    const result = await this.#ports.client.call('getMe', {}, { signal: this.#signal });
    if (!result.ok) return result;
    this.#bot = { id: result.value.id, username: result.value.username };
    return { ok: true, value: this.#bot };
  }

  /** The first poll, and the first after trouble, comes back at once: it is to show whether polling works. */
  #poll(offset: number | undefined): Promise<CallResult<unknown>> {
    const timeout = this.#isConnected ? POLL_SECONDS : 0;
    const payload = { timeout, limit: BATCH_SIZE, allowed_updates: decodedUpdates };
    return this.#ports.client.call('getUpdates', offset === undefined ? payload : { ...payload, offset }, {
      signal: this.#signal,
      limitMs: timeout * 1000 + POLL_GUARD_MS,
    });
  }

  /** Offers the same batch until it is stored; meanwhile Telegram keeps it too. */
  async #store(batch: Batch): Promise<void> {
    for (;;) {
      try {
        await storeBatch(batch, this.#sink, this.#onMoved);
        return this.#storePause.reset();
      } catch (error) {
        if (isAbort(error, this.#signal)) throw error;
        const reason = error instanceof StoreError ? error.message : 'an unexpected error, see the log';
        this.#ports.logger.error(
          { error, events: batch.events.length },
          'received messages could not be stored',
        );
        await this.#pause(
          `Messages cannot be stored: ${reason}. They wait at Telegram, nothing is lost.`,
          this.#storePause,
        );
      }
    }
  }

  #connected(): void {
    if (!this.#isConnected) this.#ports.logger.info({ bot: this.#bot?.username }, 'telegram polling works');
    this.#isConnected = true;
    this.#networkPause.reset();
    this.#report({ state: 'connected' });
  }

  async #recover(failure: CallFailure): Promise<void> {
    if (isTokenRefused(failure)) return this.#giveUp(toPlatformError(failure));
    if (failure.kind === 'refused' && failure.code === 409) return this.#settleConflict(failure.description);
    // The server is reached and says when it wants to hear from us again.
    if (failure.kind === 'refused' && failure.retryAfterMs !== undefined) {
      return this.#pause(`Telegram asks to wait (${failure.description}).`, failure.retryAfterMs);
    }
    this.#ports.client.renew();
    const reason = failure.kind === 'refused' ? `${failure.code} ${failure.description}` : failure.reason;
    await this.#pause(
      `Telegram cannot be reached (${failure.method}: ${reason}). Trying again at least once a minute.`,
      this.#networkPause,
    );
  }

  #giveUp(error: PlatformError): never {
    this.#report({ state: 'stopped', detail: error.message });
    throw error;
  }

  async #settleConflict(description: string): Promise<void> {
    const { client, clock } = this.#ports;
    const now = clock.now();
    // A pause that starts over after each short success would let two pollers fight for ever.
    if (now - this.#lastConflictAt > FLAP_WINDOW_MS) this.#conflictPause.reset();
    this.#lastConflictAt = now;
    if (/webhook is active/iu.test(description)) {
      await client.call('deleteWebhook', { drop_pending_updates: false }, { signal: this.#signal });
      const isFirst = !this.#hasDeletedWebhook;
      this.#hasDeletedWebhook = true;
      if (isFirst) return;
      return this.#pause(
        'Another program keeps setting a webhook for this bot. Stop it.',
        this.#conflictPause,
      );
    }
    await this.#pause(this.#conflictDetail(now), this.#conflictPause);
  }

  #conflictDetail(now: number): string {
    if (this.#isConnected) this.#flapsAt = [...this.#flapsAt.filter((at) => now - at < FLAP_WINDOW_MS), now];
    const detail =
      'Another process receives with this bot token. Stop it, or get a new token from @BotFather.';
    if (this.#flapsAt.length < MANY_FLAPS) return detail;
    const flaps = `This has happened ${this.#flapsAt.length} times within the hour, and messages go to either of the two.`;
    this.#ports.logger.error(
      { flaps: this.#flapsAt.length },
      'another process keeps polling with this bot token',
    );
    return `${detail} ${flaps}`;
  }

  async #pause(detail: string, pause: Backoff | number): Promise<void> {
    this.#isConnected = false;
    this.#report({ state: 'unhealthy', detail });
    if (typeof pause === 'number') await this.#ports.clock.sleep(pause, { signal: this.#signal });
    else await pause.wait({ signal: this.#signal });
  }

  async #watchForStalls(signal: AbortSignal): Promise<never> {
    for (;;) {
      const seen = this.#completedPolls;
      await this.#ports.clock.sleep(STALL_MS, { signal });
      if (seen !== this.#completedPolls || !this.#isConnected) continue;
      this.#isConnected = false;
      const detail = `No poll has been completed for ${STALL_MS / 1000} s; the gateway is busy or its store hangs.`;
      this.#report({ state: 'unhealthy', detail });
    }
  }

  /** Tells Telegram what is stored, so that the next start is not given it again. Best effort. */
  async #confirm(): Promise<void> {
    if (this.#offset === undefined || this.#offset === this.#confirmedOffset) return;
    const payload = { offset: this.#offset, limit: 1, timeout: 0 };
    const signal = new AbortController().signal;
    await this.#ports.client.call('getUpdates', payload, { signal, limitMs: CONFIRM_LIMIT_MS });
  }
}
