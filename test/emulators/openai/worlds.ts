import { World } from './world.js';

/** The keys' worlds, and what belongs to none. */
export interface Worlds {
  get(key: string): World | undefined;
  put(key: string, world: World): void;
  remove(key: string): void;
  readonly size: number;
  /** Requests with a key that nobody knows. */
  unauthorizedCount: number;
}

/** With `anyKey` a key becomes known by being asked for. */
export function createWorlds(anyKey: boolean): Worlds {
  const byKey = new Map<string, World>();
  return {
    get(key) {
      const known = byKey.get(key);
      if (known !== undefined || !anyKey) return known;
      const world = new World({});
      byKey.set(key, world);
      return world;
    },
    put: (key, world) => void byKey.set(key, world),
    remove: (key) => void byKey.delete(key),
    get size() {
      return byKey.size;
    },
    unauthorizedCount: 0,
  };
}
