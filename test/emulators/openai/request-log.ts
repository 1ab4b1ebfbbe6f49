import type { RecordedAnswer, RecordedRequest } from './script.js';

/** The server's own view of a record: the answer goes on while it is being sent. */
export interface LogEntry extends RecordedRequest {
  answer: { -readonly [Member in keyof RecordedAnswer]: RecordedAnswer[Member] };
}

/** Keeps the newest requests, bounded in number and in bytes, so that a soak run cannot fill the memory. */
export class RequestLog {
  readonly #capacity: number;
  readonly #bytesLimit: number;
  readonly #entries: { readonly entry: LogEntry; readonly bytes: number }[] = [];
  /** Index of the oldest kept entry: dropping moves it, and the array is compacted once half of it is empty. */
  #first = 0;
  #bytes = 0;
  #droppedCount = 0;

  constructor(capacity: number, bytesLimit: number) {
    this.#capacity = capacity;
    this.#bytesLimit = bytesLimit;
  }

  get droppedCount(): number {
    return this.#droppedCount;
  }

  add(entry: LogEntry, bytes: number): void {
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#kept() > this.#capacity || (this.#bytes > this.#bytesLimit && this.#kept() > 1))
      this.#dropOldest();
  }

  *entries(): Generator<LogEntry> {
    for (let index = this.#first; index < this.#entries.length; index += 1) {
      const kept = this.#entries[index];
      if (kept !== undefined) yield kept.entry;
    }
  }

  #kept(): number {
    return this.#entries.length - this.#first;
  }

  #dropOldest(): void {
    this.#bytes -= this.#entries[this.#first]?.bytes ?? 0;
    // Not removed by shift, which copies the array for every request once the log is full; emptied by the splice below.
    this.#first += 1;
    this.#droppedCount += 1;
    if (this.#first * 2 > this.#entries.length) {
      this.#entries.splice(0, this.#first);
      this.#first = 0;
    }
  }
}
