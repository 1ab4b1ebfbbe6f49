import type { JsonValue } from './json.js';

/**
 * What an adapter has to remember across restarts, under names of its own: where it had read up to, what it last told
 * its platform. Small and overwritten; each platform and account has its own.
 */
export interface NoteStore {
  /** Undefined if nothing was written under this name. Rejects with a StoreError. */
  read(name: string): Promise<JsonValue | undefined>;
  /** Rejects with a StoreError. */
  write(name: string, value: JsonValue): Promise<void>;
}
