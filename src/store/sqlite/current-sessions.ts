import type { SessionKey } from '../../core/ids.js';
import type { SessionRecord } from '../../core/stores.js';

/** Chats that write within the same hours; each record holds its prompt of a few thousand characters. */
const maxRecords = 500;

/** The sessions that keys stand for, as they were read: every turn begins with one, and they seldom change. */
export class CurrentSessions {
  readonly #records = new Map<SessionKey, SessionRecord>();

  get(key: SessionKey): SessionRecord | undefined {
    return this.#records.get(key);
  }

  set(record: SessionRecord): void {
    if (this.#records.size >= maxRecords) this.#records.clear();
    this.#records.set(record.key, record);
  }

  /** To be called with whatever changes for which session a key stands. Without a key: all. */
  forget(key?: SessionKey): void {
    if (key === undefined) this.#records.clear();
    else this.#records.delete(key);
  }
}
