import { type DeliveryId, toDeliveryId } from '../../core/ids.js';
import type { Delivery, DeliveryState } from '../../core/outbound.js';
import type { OutboxStore } from '../../core/stores.js';
import { toJson } from '../json-text.js';
import { deliveryNotUnderWay } from '../refusals.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import {
  createRowReader,
  isNull,
  readInteger,
  readJson,
  readOneOf,
  readOptional,
  readText,
} from './row-reader.js';
import { type DeliveryContent, deliveryContent, receipt } from './stored-shapes.js';

/** `insert` and `prune` run inside the caller's transaction. */
export interface SqliteOutbox {
  readonly store: OutboxStore;
  /** Adds those whose key is new, at the end of the order; gives them back. */
  insert(deliveries: readonly Delivery[]): readonly Delivery[];
  prune(before: number): void;
}

const states: readonly DeliveryState[] = ['pending', 'sending', 'sent', 'failed', 'unknown'];

const toDelivery = (row: Row): Delivery => ({
  ...readJson(row, 'content', deliveryContent),
  id: toDeliveryId(readText(row, 'id')),
  idempotencyKey: readText(row, 'idempotency_key'),
  state: readOneOf(row, 'state', states),
  attempts: readInteger(row, 'attempts'),
  isRepeat: readInteger(row, 'is_repeat') === 1,
  notBefore: readInteger(row, 'not_before'),
  createdAt: readInteger(row, 'created_at'),
  ...(isNull(row, 'receipt') ? {} : { receipt: readJson(row, 'receipt', receipt) }),
  ...readOptional(row, 'error', 'error', String),
});

const contentOf = ({ route, encoded, replyTo, cause, correlation, edits }: Delivery): DeliveryContent => ({
  route,
  encoded,
  cause,
  correlation,
  ...(replyTo === undefined ? {} : { replyTo }),
  ...(edits === undefined ? {} : { edits }),
});

const prepareStatements = ({ prepare }: Connection) => ({
  insert: prepare(
    `INSERT INTO outbox (position, sub, id, idempotency_key, content, state, attempts, is_repeat, is_replaced,
       not_before, created_at, receipt, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
  ),
  // No position is above the arrival of its row, so the next arrival is a position behind all others.
  nextPosition: prepare('SELECT coalesce(max(arrival), 0) + 1 AS position FROM outbox'),
  placeOf: prepare('SELECT position, sub FROM outbox WHERE id = ? AND ended_at IS NULL'),
  makeRoom: prepare('UPDATE outbox SET sub = sub + ? WHERE position = ? AND sub > ? AND ended_at IS NULL'),
  begin: prepare(
    "UPDATE outbox SET state = 'sending', attempts = attempts + 1 WHERE id = ? AND ended_at IS NULL",
  ),
  postpone: prepare(
    "UPDATE outbox SET state = 'pending', not_before = ?, error = ? WHERE id = ? AND ended_at IS NULL",
  ),
  end: prepare(
    `UPDATE outbox SET state = ?, error = ?, receipt = ?, is_replaced = ?, ended_at = ?
     WHERE id = ? AND ended_at IS NULL`,
  ),
  selectOpen: prepare('SELECT * FROM outbox WHERE ended_at IS NULL ORDER BY position, sub'),
  selectOne: prepare('SELECT * FROM outbox WHERE id = ?'),
  countOpen: prepare('SELECT count(*) AS count FROM outbox WHERE ended_at IS NULL'),
  countTrouble: prepare(
    `SELECT state, count(*) AS count FROM outbox
     WHERE state IN ('failed', 'unknown') AND is_replaced = 0 GROUP BY state`,
  ),
  prune: prepare('DELETE FROM outbox WHERE ended_at < ?'),
  remove: prepare('DELETE FROM outbox WHERE id = ?'),
  keyed: prepare(
    'SELECT * FROM outbox WHERE idempotency_key >= ? AND idempotency_key < ? ORDER BY position, sub',
  ),
  forget: prepare(
    'DELETE FROM outbox WHERE idempotency_key >= ? AND idempotency_key < ? AND ended_at IS NOT NULL',
  ),
});

interface Place {
  readonly position: number;
  readonly sub: number;
}

export const createSqliteOutbox = ({ connection, logger, now }: SqliteContext): SqliteOutbox => {
  const reader = createRowReader('outbox', logger);
  const statements = prepareStatements(connection);

  const insertAt = ({ position, sub }: Place, delivery: Delivery): boolean =>
    statements.insert.run(
      position,
      sub,
      delivery.id,
      delivery.idempotencyKey,
      toJson(contentOf(delivery)),
      delivery.state,
      delivery.attempts,
      delivery.isRepeat ? 1 : 0,
      delivery.notBefore,
      delivery.createdAt,
      delivery.receipt === undefined ? null : toJson(delivery.receipt),
      delivery.error ?? null,
    ) === 1;
  const nextPlace = (): Place => ({
    position: readInteger(statements.nextPosition.get() ?? {}, 'position'),
    sub: 0,
  });
  const insert = (deliveries: readonly Delivery[]): readonly Delivery[] =>
    deliveries.filter((delivery) => insertAt(nextPlace(), delivery));

  const mustChange = (id: DeliveryId, changes: number): void => {
    if (changes === 0) throw deliveryNotUnderWay(id);
  };
  const placeOf = (id: DeliveryId): Place => {
    const row = statements.placeOf.get(id);
    if (row === undefined) throw deliveryNotUnderWay(id);
    return { position: readInteger(row, 'position'), sub: readInteger(row, 'sub') };
  };
  const insertBehind = (id: DeliveryId, deliveries: readonly Delivery[]): void => {
    const { position, sub } = placeOf(id);
    statements.makeRoom.run(deliveries.length, position, sub);
    for (const [index, one] of deliveries.entries()) insertAt({ position, sub: sub + 1 + index }, one);
  };
  const repeatLater = (id: DeliveryId, error: string, repeats: readonly Delivery[]): void => {
    insertBehind(id, repeats);
    statements.end.run('unknown', error, null, repeats.length > 0 ? 1 : 0, now(), id);
  };
  const troubleCounts = (): ReadonlyMap<string, number> =>
    new Map(statements.countTrouble.all().map((row) => [readText(row, 'state'), readInteger(row, 'count')]));

  return {
    store: {
      enqueue: (deliveries) => connection.queue(() => insert(deliveries)),
      begin: (id) => connection.queue(() => mustChange(id, statements.begin.run(id))),
      sent: (id, sentReceipt) =>
        connection.queue(() =>
          mustChange(id, statements.end.run('sent', null, toJson(sentReceipt), 0, now(), id)),
        ),
      postpone: async (id, { notBefore, error }) =>
        mustChange(id, statements.postpone.run(notBefore, error, id)),
      uncertain: async (id, { error, repeats }) =>
        connection.transaction(() => repeatLater(id, error, repeats)),
      fail: async (id, error) => mustChange(id, statements.end.run('failed', error, null, 0, now(), id)),
      replace: async (id, others) =>
        connection.transaction(() => {
          insertBehind(id, others);
          statements.remove.run(id);
        }),
      unfinished: async () => reader.many(statements.selectOpen.all(), 'id', toDelivery),
      find: async (id) => {
        const row = statements.selectOne.get(id);
        return row === undefined ? undefined : reader.one(row, 'id', toDelivery);
      },
      keyed: async (start) =>
        reader.many(statements.keyed.all(start, `${start}\u{10FFFF}`), 'id', toDelivery),
      forget: async (keyBeginnings) =>
        connection.transaction(() => {
          for (const start of keyBeginnings) statements.forget.run(start, `${start}\u{10FFFF}`);
        }),
      counts: async () => {
        const trouble = troubleCounts();
        return {
          pending: readInteger(statements.countOpen.get() ?? {}, 'count'),
          failed: trouble.get('failed') ?? 0,
          unknown: trouble.get('unknown') ?? 0,
        };
      },
    },
    insert,
    prune: (before) => {
      statements.prune.run(before);
    },
  };
};
