import type { IdSource } from '../../src/core/ids.js';

/** Ids that count for each kind: `turn-1`, `turn-2`, … Sort by their time as long as a kind has fewer than 100,000. */
export const createCountingIds = (): IdSource => {
  const counts = new Map<string, number>();
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      // The brand says which source made it, and this is that source.
      return `${kind}-${String(count).padStart(5, '0')}` as never;
    },
  };
};
