/** What the client said, in order of arrival. */
import type { CallRecord } from './protocol.js';

export class CallLog {
  #calls: CallRecord[] = [];
  #nextId = 1;

  begin(call: string, text = ''): CallRecord {
    const receivedAt = performance.timeOrigin + performance.now();
    const record: CallRecord = { id: this.#nextId, call, text, receivedAt, applied: false };
    this.#nextId += 1;
    this.#calls.push(record);
    return record;
  }

  /** `pattern` is a regular expression for `CallRecord.call`. */
  select(pattern: string): readonly CallRecord[] {
    const expression = new RegExp(pattern, 'u');
    return this.#calls.filter(({ call }) => expression.test(call));
  }

  /** Stops at the count, so that waiting for a few calls stays cheap in a long log. */
  has(pattern: string, count: number): boolean {
    const expression = new RegExp(pattern, 'u');
    let found = 0;
    for (const { call } of this.#calls) {
      if (found >= count) break;
      if (expression.test(call)) found += 1;
    }
    return found >= count;
  }

  clear(): void {
    this.#calls = [];
  }
}
