/** Turns pushed events into an iterable. Unbounded: what is pushed is bounded by one model answer. One reader. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  push(event: T): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** What was pushed before is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    while (true) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#isClosed) return;
      else await this.#changed();
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
