/** Numbers that are the same for the same seed, so that a run can be repeated. */
export interface Random {
  /** A whole number from 0 to `below`, not included. */
  below(below: number): number;
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** So many different ones, in random order; all of them if there are fewer. */
  sample<Item>(items: readonly Item[], count: number): readonly Item[];
}

/** Mulberry32: small, and good enough for choosing. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    sample: (items, count) => {
      const left = [...items];
      return Array.from({ length: Math.min(count, items.length) }, () =>
        left.splice(below(left.length), 1),
      ).flat();
    },
  };
}
