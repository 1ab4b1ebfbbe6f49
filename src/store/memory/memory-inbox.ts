import type { InboxId, TurnId } from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { InboxEntry, InboxStore } from '../../core/stores.js';
import { withoutNul } from '../json-text.js';
import { refusal } from '../refusals.js';
import { copyOf } from './copy.js';

interface Row {
  readonly id: InboxId;
  event: InboundEvent | undefined;
  turn?: TurnId;
  finishedAt?: number;
}

export interface MemoryInbox {
  readonly store: InboxStore;
  finish(ids: readonly InboxId[]): void;
  take(turn: TurnId, ids: readonly InboxId[]): void;
  finishTurn(turn: TurnId): void;
  prune(before: number): void;
}

export const createMemoryInbox = (now: () => number): MemoryInbox => {
  /** By dedupe key, in the order of acceptance. */
  let rows = new Map<string, Row>();
  const open = (): Row[] => [...rows.values()].filter((row) => row.finishedAt === undefined);
  const openWith = (ids: readonly InboxId[]): Row[] => open().filter((row) => ids.includes(row.id));
  const finish = (row: Row): void => {
    row.event = undefined;
    row.finishedAt = now();
  };

  const accept = (entries: readonly InboxEntry[]) => {
    const next = new Map(rows);
    const ids = new Set([...rows.values()].map(({ id }) => id));
    const answers = entries.map(({ id, event, dedupeKey }) => {
      const key = withoutNul(dedupeKey);
      if (next.has(key)) return 'duplicate';
      if (ids.has(id)) throw refusal(`inbox id ${id} is taken`);
      ids.add(id);
      next.set(key, event === undefined ? { id, event, finishedAt: now() } : { id, event: copyOf(event) });
      return 'stored';
    });
    rows = next;
    return answers;
  };

  return {
    store: {
      accept: async (entries) => accept(entries),
      unfinished: async () =>
        open().flatMap(({ id, event, turn }) => {
          if (event === undefined) return [];
          return [turn === undefined ? { id, event } : { id, event, turn }];
        }),
      finish: async (ids) => openWith(ids).forEach(finish),
    },
    finish: (ids) => openWith(ids).forEach(finish),
    take: (turn, ids) => {
      for (const row of openWith(ids)) row.turn = turn;
    },
    finishTurn: (turn) =>
      open()
        .filter((row) => row.turn === turn)
        .forEach(finish),
    prune: (before) => {
      rows = new Map(
        [...rows].filter(([, { finishedAt }]) => finishedAt === undefined || finishedAt >= before),
      );
    },
  };
};
