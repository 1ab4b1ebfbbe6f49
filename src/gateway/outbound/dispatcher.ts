/**
 * Outbox rows to platform calls. Place in the flow: outbox* → (here) → adapter.send → receipt.
 *
 * 1. One lane per chat, one call at a time in it: chunks never overtake or interleave.
 * 2. A row is marked begun before its call and ended after it: a crash between the two leaves an outcome that is
 *    known to be unknown, never a silent repeat or a silent loss.
 * 3. What a chat's platform asks to wait for holds that chat only.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../core/clock.js';
import { isAbort, PlatformError } from '../../core/errors.js';
import type { ChatId, DeliveryId, IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Delivery, DeliveryOutcome, Receipt, SpeechOrder } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import { laneOf, type Route } from '../../core/route.js';
import type { OutboxStore } from '../../core/stores.js';
import { aborted } from '../aborted.js';
import type { Persist } from '../persist.js';
import type { SpeakOrder } from '../voice/speaking.js';
import { composeAfresh, composeRepeat } from './compose.js';
import { decideFate, decideInterrupted, type Fate } from './fate.js';
import { Lane } from './lane.js';

/** Longer is no wait that a platform asked for: the clock was set back since the row was stored. */
const MAX_WAIT_MS = 3_600_000;

export interface DispatcherDeps {
  readonly outbox: OutboxStore;
  readonly persist: Persist;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** The adapter that serves a route; undefined while its platform is not in service: its rows wait. */
  adapterFor(route: Route): PlatformAdapter | undefined;
  /** The place as its platform knows it now: a chat may go on under another id. */
  currentRoute(route: Route): Route;
  /** A send was told that its chat goes on elsewhere. True if it is to be repeated there. */
  onMoved(route: Route, to: ChatId): Promise<boolean>;
  /** The rows that take the place of one that is a voice message to be made. Rejects only with the signal's reason. */
  readonly speak: SpeakOrder;
  /** Forgets files of a row that has ended. */
  release(paths: readonly string[]): Promise<void>;
  onSent(delivery: Delivery): void;
  /** A row ended without a receipt; told once, after it was stored. */
  onLost(delivery: Delivery, state: 'failed' | 'unknown', error: string): void;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #lanes = new Map<string, Lane>();
  readonly #waiters = new Map<DeliveryId, (outcome: DeliveryOutcome) => void>();
  readonly #stop = new AbortController();
  /** Aborts at once when a stop begins: what is not made by then is made by the next start. */
  readonly #speaking = new AbortController();
  #isStopping = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    // As many calls listen to it as there are chats being served.
    setMaxListeners(0, this.#stop.signal, this.#speaking.signal);
  }

  /** Aborts when calls under way have used up their grace time. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  lane(route: Route): Lane {
    const key = laneOf(this.#deps.currentRoute(route));
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const { clock, logger } = this.#deps;
      lane = new Lane({
        clock,
        onIdle: () => this.#lanes.delete(key),
        onError: (error) => {
          if (!this.#stop.signal.aborted) logger.error({ error, lane: key }, 'delivery failed unexpectedly');
        },
      });
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** Takes stored rows in order and sees to each of them until it has ended. */
  dispatch(deliveries: readonly Delivery[]): void {
    // What comes during a stop stays stored, for the next start.
    if (this.#isStopping) return;
    for (const delivery of deliveries) this.#push(delivery, Promise.resolve(true));
  }

  /** What has yet to be spoken is made beside the lane, so that words need not wait for it. */
  #push(delivery: Delivery, isStored: Promise<boolean>): void {
    const order = delivery.encoded.speech;
    if (order !== undefined) {
      void this.#speak(delivery, order, isStored);
      return;
    }
    const lane = this.lane(delivery.route);
    lane.push(async () => {
      if (await isStored) await this.#deliver(delivery, lane);
    });
  }

  /** Never rejects. */
  async #speak(delivery: Delivery, order: SpeechOrder, isStored: Promise<boolean>): Promise<void> {
    const { persist, outbox, logger } = this.#deps;
    const { signal } = this.#speaking;
    const adapter = this.#deps.adapterFor(delivery.route);
    try {
      // The row stays stored and is taken up when the platform is back in the settings.
      if (!(await isStored) || adapter === undefined) return;
      const rows = await this.#deps.speak(delivery, order, adapter, { signal });
      await persist(() => outbox.replace(delivery.id, rows));
      this.#passOn(delivery.id, rows);
      this.dispatch(rows);
    } catch (error) {
      if (!signal.aborted) logger.error({ error, delivery: delivery.id }, 'voice message not made');
    }
  }

  /**
   * Stores rows of one chat by `store`, then sees them off. Where nothing is before it, the first is stored as begun: one
   * write less between an answer and its call. Rejects as `store` does, and then nothing leaves.
   */
  async deliver(
    deliveries: readonly Delivery[],
    store: (rows: readonly Delivery[]) => Promise<void>,
  ): Promise<void> {
    const [first, ...rest] = deliveries;
    if (first === undefined || first.encoded.speech !== undefined || !this.#isFree(first)) {
      await store(deliveries);
      return this.dispatch(deliveries);
    }
    const begun = toBegun(first);
    const storing = store([begun, ...rest]);
    // Whoever asked is told of a failure; the lane, which is theirs from now on, only has to know.
    const isStored = storing.then(
      () => true,
      () => false,
    );
    const lane = this.lane(first.route);
    lane.push(async () => {
      if (await isStored) await this.#deliver(begun, lane, { isBegun: true });
    });
    for (const delivery of rest) this.#push(delivery, isStored);
    await storing;
  }

  /** Whether the row's call could begin now. */
  #isFree({ route, notBefore }: Delivery): boolean {
    if (this.#isStopping || this.#deps.adapterFor(route) === undefined) return false;
    const lane = this.lane(route);
    return !lane.isBusy && !lane.isHeld && notBefore <= this.#deps.clock.now();
  }

  /** Takes up what an earlier life left in the outbox. Resolves when the rows with unknown outcome are decided. */
  async recover(): Promise<void> {
    const { outbox, clock, logger } = this.#deps;
    for (const stored of await outbox.unfinished()) {
      const delivery = { ...stored, notBefore: Math.min(stored.notBefore, clock.now() + MAX_WAIT_MS) };
      const adapter = this.#deps.adapterFor(delivery.route);
      if (delivery.state !== 'sending' || adapter === undefined) {
        this.dispatch([delivery]);
        continue;
      }
      const fate = decideInterrupted(delivery, {
        now: clock.now(),
        isRepeatable: isRepeatable(delivery, adapter),
      });
      logger.warn(
        { delivery: delivery.id, correlation: delivery.correlation, fate: fate.kind },
        'send was interrupted',
      );
      const next = await this.#apply(
        fate,
        delivery,
        adapter,
        'The gateway stopped while this was being sent.',
      );
      this.dispatch(next);
    }
  }

  /** Resolves when the row has ended. Call before the row is dispatched. */
  outcome(id: DeliveryId): Promise<DeliveryOutcome> {
    return new Promise((resolve) => this.#waiters.set(id, resolve));
  }

  /** Begins nothing further and waits for the calls under way; `grace` aborts those that take too long. */
  async stop(grace: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#speaking.abort(new Error('the gateway is stopping'));
    const halted = Promise.all([...this.#lanes.values()].map((lane) => lane.halt()));
    // A write that waits for a full disk would never end: the row is known to have begun, which is all there is to say.
    await Promise.race([halted, aborted(grace)]);
    this.#stop.abort(new Error('the gateway is stopping'));
  }

  /** One row until it is off the lane's front. What the store refuses for good is told to whoever waits. */
  async #deliver(
    delivery: Delivery,
    lane: Lane,
    options: { readonly isBegun?: boolean } = {},
  ): Promise<void> {
    try {
      await this.#follow(delivery, lane, options);
    } catch (error) {
      // At a stop the row is taken up by the next start, and nobody waits any more.
      if (!this.#stop.signal.aborted) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#settle(delivery.id, { state: 'unknown', error: this.#deps.redact(reason) });
      }
      throw error;
    }
  }

  /** The row and those that take its place, until none is left. */
  async #follow(delivery: Delivery, lane: Lane, { isBegun = false }): Promise<void> {
    const { persist, outbox } = this.#deps;
    let isFirstBegun = isBegun;
    let queue: readonly Delivery[] = [delivery];
    while (queue.length > 0) {
      const [current, ...rest] = queue;
      if (current === undefined) return;
      const adapter = this.#deps.adapterFor(current.route);
      // The row stays stored and is taken up when the platform is back in the settings.
      if (adapter === undefined) return;
      let begun = current;
      if (!isFirstBegun) {
        await lane.waitUntil(current.notBefore);
        await persist(() => outbox.begin(current.id));
        begun = toBegun(current);
      }
      isFirstBegun = false;
      queue = [...(await this.#attempt(begun, adapter, lane)), ...rest];
    }
  }

  /** The call of a row that is stored as begun: gives the rows that have to be seen to in its place. */
  async #attempt(begun: Delivery, adapter: PlatformAdapter, lane: Lane): Promise<readonly Delivery[]> {
    const { persist, outbox, clock, logger } = this.#deps;
    let receipt: Receipt;
    try {
      receipt = await this.#call(begun, adapter);
    } catch (error) {
      if (isAbort(error, this.#stop.signal)) throw error;
      const hasMoved = await this.#followMove(error, begun.route);
      const context = { now: clock.now(), isRepeatable: isRepeatable(begun, adapter), hasMoved };
      const fate = decideFate(error, begun, context);
      logger.warn(
        { delivery: begun.id, correlation: begun.correlation, fate: fate.kind, error },
        'send failed',
      );
      if (fate.kind === 'hold-lane') lane.hold(clock.now() + fate.delayMs);
      return this.#apply(
        fate,
        begun,
        adapter,
        error instanceof PlatformError ? error.message : String(error),
      );
    }
    const { id, correlation, attempts } = begun;
    try {
      await persist(() => outbox.sent(id, receipt));
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      // It arrived, whatever becomes of the row: the next start finds it begun and says that it may be a duplicate.
      logger.error({ error, delivery: id, correlation }, 'a receipt could not be stored');
    }
    logger.info({ delivery: id, correlation, attempts, messages: receipt.messages }, 'message sent');
    this.#deps.onSent(begun);
    await this.#release(begun);
    this.#settle(id, { state: 'sent', receipt });
    return [];
  }

  async #followMove(error: unknown, route: Route): Promise<boolean> {
    if (!(error instanceof PlatformError) || error.movedTo === undefined) return false;
    // The send went to the newest id that was known; it is that one which moved on.
    const { chat } = this.#deps.currentRoute(route);
    return chat !== error.movedTo && this.#deps.onMoved({ ...route, chat }, error.movedTo);
  }

  #call(delivery: Delivery, adapter: PlatformAdapter): Promise<Receipt> {
    const { encoded, idempotencyKey, cause } = delivery;
    const route = this.#deps.currentRoute(delivery.route);
    const options = { signal: this.#stop.signal };
    // Message ids of the chat before its move mean nothing, or other messages, in the chat after it.
    const isHere = route.chat === delivery.route.chat;
    const replyTo = isHere ? delivery.replyTo : undefined;
    const edits = isHere ? delivery.edits : undefined;
    if (edits !== undefined && adapter.editing !== undefined) {
      return adapter.editing.edit({ route, encoded, message: edits }, options);
    }
    const request = { route, encoded, idempotencyKey, cause };
    return adapter.send(replyTo === undefined ? request : { ...request, replyTo }, options);
  }

  async #apply(
    fate: Fate,
    delivery: Delivery,
    adapter: PlatformAdapter,
    reason: string,
  ): Promise<readonly Delivery[]> {
    const { persist, outbox, clock } = this.#deps;
    const error = this.#deps.redact(reason);
    switch (fate.kind) {
      case 'hold-lane':
      case 'postpone': {
        const notBefore = clock.now() + fate.delayMs;
        await persist(() => outbox.postpone(delivery.id, { notBefore, error }));
        return [{ ...delivery, state: 'pending', notBefore }];
      }
      case 'repeat-marked':
      case 'send-afresh': {
        const repeats =
          fate.kind === 'repeat-marked'
            ? composeRepeat(delivery, adapter, this.#deps)
            : [composeAfresh(delivery, this.#deps)];
        await persist(() => outbox.uncertain(delivery.id, { error, repeats }));
        this.#passOn(delivery.id, repeats);
        return repeats;
      }
      case 'give-up':
        await persist(() =>
          fate.state === 'failed'
            ? outbox.fail(delivery.id, error)
            : outbox.uncertain(delivery.id, { error, repeats: [] }),
        );
        await this.#release(delivery);
        this.#settle(delivery.id, { state: fate.state, error });
        this.#deps.onLost(delivery, fate.state, error);
        return [];
    }
  }

  async #release({ encoded }: Delivery): Promise<void> {
    if (encoded.files !== undefined) await this.#deps.release(encoded.files);
  }

  #settle(id: DeliveryId, outcome: DeliveryOutcome): void {
    this.#waiters.get(id)?.(outcome);
    this.#waiters.delete(id);
  }

  /** Whoever waits for a replaced row waits for the last row in its place. */
  #passOn(id: DeliveryId, repeats: readonly Delivery[]): void {
    const waiter = this.#waiters.get(id);
    const last = repeats.at(-1);
    this.#waiters.delete(id);
    if (waiter !== undefined && last !== undefined) this.#waiters.set(last.id, waiter);
  }
}

const toBegun = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'sending',
  attempts: delivery.attempts + 1,
});

const isRepeatable = (delivery: Delivery, adapter: PlatformAdapter): boolean =>
  adapter.idempotentSend || delivery.edits !== undefined;
