/** Every REST call in order of arrival. */
import type { CallRecord } from './protocol.js';

export interface CallCount {
  readonly call: string;
  readonly count: number;
  readonly status?: number;
}

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

  /** Stops at the count, so that waiting for a few calls stays cheap in a long log. */
  has({ call, count, status }: CallCount): boolean {
    const expression = new RegExp(call, 'u');
    let found = 0;
    for (const record of this.#calls) {
      if (found >= count) break;
      if (expression.test(record.call) && (status === undefined || record.status === status)) found += 1;
    }
    return found >= count;
  }

  clear(): void {
    this.#calls = [];
  }
}
