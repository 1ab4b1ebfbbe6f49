/**
 * What people chose for a chat, a session or a platform, by keys that the gateway makes. Small and rarely written: a
 * start reads all of it.
 */
export interface PreferenceStore {
  all(): Promise<ReadonlyMap<string, string>>;
  set(key: string, value: string): Promise<void>;
  /** Nothing happens if there is nothing. */
  remove(key: string): Promise<void>;
}
