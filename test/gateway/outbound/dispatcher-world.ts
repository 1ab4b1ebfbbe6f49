import { toDeliveryId } from '../../../src/core/ids.js';
import type { Delivery } from '../../../src/core/outbound.js';
import { Dispatcher } from '../../../src/gateway/outbound/dispatcher.js';
import { createPersist } from '../../../src/gateway/persist.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aDelivery } from '../../fakes/builders.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';
import { unreliable } from '../../fakes/unreliable.js';

interface DispatcherSketch {
  readonly isIdempotent?: boolean;
  readonly isInService?: boolean;
}

/** A dispatcher between a store in memory and a scripted platform, its clock in the test's hand. */
export const createDispatcherWorld = ({
  isIdempotent = false,
  isInService = true,
}: DispatcherSketch = {}) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const platform = new ScriptedPlatform({ clock, isIdempotent });
  const stores = createMemoryStores({ now: () => clock.now() });
  const outbox = unreliable(stores.outbox);
  const down = new AbortController();
  const lost: string[] = [];
  const dispatcher = new Dispatcher({
    outbox: outbox.target,
    persist: createPersist({ clock, logger, signal: down.signal, onTrouble: () => undefined }),
    clock,
    ids: createCountingIds(),
    logger,
    redact: (text) => text.replaceAll('s3cret', '***'),
    adapterFor: () => (isInService ? platform : undefined),
    currentRoute: (route) => route,
    onMoved: async () => false,
    release: async () => undefined,
    onSent: () => undefined,
    speak: async () => [],
    onLost: ({ encoded }, state, error) => void lost.push(`${encoded.text} ${state}: ${error}`),
  });
  const aRow = (text: string, changes: Partial<Delivery> = {}): Delivery =>
    aDelivery({
      id: toDeliveryId(`row-${text}`),
      idempotencyKey: `key-${text}`,
      encoded: { text, payload: text },
      createdAt: clock.now(),
      ...changes,
    });
  /** Stores the rows and hands them over; resolves with how each of them ended. */
  const send = async (...rows: readonly Delivery[]) => {
    await stores.outbox.enqueue(rows);
    const outcomes = rows.map(({ id }) => dispatcher.outcome(id));
    dispatcher.dispatch(rows);
    return Promise.all(outcomes);
  };
  /** As after a kill: these rows are in the store, `sending` ones were begun. */
  const left = async (...rows: readonly Delivery[]): Promise<void> => {
    await stores.outbox.enqueue(rows);
    for (const { id, state } of rows) if (state === 'sending') await stores.outbox.begin(id);
  };
  const stop = (): Promise<void> => dispatcher.stop(new AbortController().signal);
  return { clock, logger, platform, stores, outbox, lost, dispatcher, aRow, send, left, stop, down };
};
