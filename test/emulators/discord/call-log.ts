/** Every REST call in order of arrival. */
import type { CallRecord } from './protocol.js';

export class CallLog {
  #calls: CallRecord[] = [];
  #nextId = 1;

  begin(call: string, body: unknown): CallRecord {
    const record: CallRecord = {
      id: this.#nextId,
      call,
      body,
      receivedAt: performance.timeOrigin + performance.now(),
      applied: false,
    };
    this.#nextId += 1;
    this.#calls.push(record);
    return record;
  }

  /** `pattern` is a regular expression for `VERB /path`. */
  select(pattern: string): readonly CallRecord[] {
    const expression = new RegExp(pattern, 'u');
    return this.#calls.filter(({ call }) => expression.test(call));
  }

  clear(): void {
    this.#calls = [];
  }
}
