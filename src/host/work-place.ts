/**
 * The folder in which a turn's tools work. It belongs to what runs asynchronously under the turn and to nothing else, so
 * that two turns with different folders run side by side: process-wide state (environment, working directory) is never
 * touched.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface WorkPlace {
  /** Absolute. */
  folder(): string;
  within<Result>(folder: string, act: () => Promise<Result>): Promise<Result>;
}

export const createWorkPlace = (usual: string): WorkPlace => {
  const storage = new AsyncLocalStorage<string>();
  return {
    folder: () => storage.getStore() ?? usual,
    within: (folder, act) => storage.run(folder, act),
  };
};
