import type { DeliveryId } from '../../core/ids.js';
import type { Delivery } from '../../core/outbound.js';
import type { OutboxStore } from '../../core/stores.js';
import { withoutNul } from '../json-text.js';
import { deliveryNotUnderWay, refusal } from '../refusals.js';
import { copyOf } from './copy.js';

interface Row {
  delivery: Delivery;
  endedAt?: number;
  /** Its repeats took its place. */
  isReplaced: boolean;
}

export interface MemoryOutbox {
  readonly store: OutboxStore;
  /** Adds those whose key is new, all or none, at `index` of the order; gives them back. */
  insert(deliveries: readonly Delivery[], index?: number): readonly Delivery[];
  prune(before: number): void;
}

export const createMemoryOutbox = (now: () => number): MemoryOutbox => {
  /** In the order they have to leave. */
  let rows: Row[] = [];
  const findRow = (id: DeliveryId) => rows.find(({ delivery }) => delivery.id === id);
  const underWay = (id: DeliveryId): Row => {
    const row = findRow(id);
    if (row === undefined || row.endedAt !== undefined) throw deliveryNotUnderWay(id);
    return row;
  };

  const insert = (deliveries: readonly Delivery[], index = rows.length): readonly Delivery[] => {
    const keys = new Set(rows.map(({ delivery }) => withoutNul(delivery.idempotencyKey)));
    const ids = new Set(rows.map(({ delivery }) => delivery.id));
    const added = deliveries.filter(({ id, idempotencyKey }) => {
      if (keys.has(withoutNul(idempotencyKey))) return false;
      if (ids.has(id)) throw refusal(`delivery id ${id} is taken`);
      ids.add(id);
      keys.add(withoutNul(idempotencyKey));
      return true;
    });
    const fresh = added.map((delivery) => ({ delivery: copyOf(delivery), isReplaced: false }));
    rows = rows.toSpliced(index, 0, ...fresh);
    return added;
  };

  const change = (id: DeliveryId, changes: (delivery: Delivery) => Partial<Delivery>): Row => {
    const row = underWay(id);
    row.delivery = copyOf({ ...row.delivery, ...changes(row.delivery) });
    return row;
  };
  const end = (id: DeliveryId, changes: Partial<Delivery>): void => {
    change(id, () => changes).endedAt = now();
  };
  const count = (matches: (row: Row) => boolean): number => rows.filter(matches).length;

  return {
    store: {
      enqueue: async (deliveries) => insert(deliveries),
      begin: async (id) => {
        change(id, ({ attempts }) => ({ state: 'sending', attempts: attempts + 1 }));
      },
      sent: async (id, receipt) => {
        const row = underWay(id);
        const { error: _error, ...delivery } = row.delivery;
        row.delivery = copyOf({ ...delivery, state: 'sent', receipt });
        row.endedAt = now();
      },
      postpone: async (id, { notBefore, error }) => {
        change(id, () => ({ state: 'pending', notBefore, error }));
      },
      uncertain: async (id, { error, repeats }) => {
        const row = underWay(id);
        insert(repeats, rows.indexOf(row) + 1);
        row.isReplaced = repeats.length > 0;
        end(id, { state: 'unknown', error });
      },
      fail: async (id, error) => end(id, { state: 'failed', error }),
      replace: async (id, others) => {
        const row = underWay(id);
        insert(others, rows.indexOf(row) + 1);
        rows = rows.filter((one) => one !== row);
      },
      unfinished: async () =>
        rows.filter(({ endedAt }) => endedAt === undefined).map(({ delivery }) => delivery),
      find: async (id) => findRow(id)?.delivery,
      keyed: async (start) =>
        rows.map(({ delivery }) => delivery).filter((one) => one.idempotencyKey.startsWith(start)),
      forget: async (keyBeginnings) => {
        rows = rows.filter(
          ({ delivery, endedAt }) =>
            endedAt === undefined ||
            !keyBeginnings.some((start) => delivery.idempotencyKey.startsWith(start)),
        );
      },
      counts: async () => ({
        pending: count(({ endedAt }) => endedAt === undefined),
        failed: count(({ delivery }) => delivery.state === 'failed'),
        unknown: count(({ delivery, isReplaced }) => delivery.state === 'unknown' && !isReplaced),
      }),
    },
    insert,
    prune: (before) => {
      rows = rows.filter(({ endedAt }) => endedAt === undefined || endedAt >= before);
    },
  };
};
