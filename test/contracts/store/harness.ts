import { afterEach, beforeEach } from 'vitest';
import type { Stores } from '../../../src/core/stores.js';

/** What a store brings to the suite: empty stores, and the same data once more after a restart. */
export interface StoreHarness {
  readonly stores: Stores;
  /** Closes the stores and opens them again. */
  restart(): Promise<Stores>;
  /** Sets the time by which the stores stamp what ended; starts at 0. */
  setNow(at: number): void;
  /** Ends everything and removes what was kept. */
  dispose(): Promise<void>;
}

export type OpenHarness = () => Promise<StoreHarness>;

/** Empty stores for every test of the surrounding `describe`. */
export const useStores = (open: OpenHarness): StoreHarness => {
  let current: StoreHarness;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(async () => {
    await current.dispose();
  });
  return {
    get stores() {
      return current.stores;
    },
    restart: () => current.restart(),
    setNow: (at) => current.setNow(at),
    dispose: () => current.dispose(),
  };
};
