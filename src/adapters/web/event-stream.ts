export interface EventStreamOptions {
  /** Most bytes of live events that may wait for the client; catching up does not count. */
  readonly maxWaitingBytes: number;
  /** Called once when the stream is over, for whatever reason. */
  readonly onClosed: () => void;
  /** Breaks the connection off. */
  readonly cut: () => void;
}

const encoder = new TextEncoder();

const CHUNK_BYTES = 65_536;

/**
 * The body of one event stream: frames wait here until the client reads them. A client that does not keep up is cut
 * off, comes back and resumes where it was; that costs less than keeping everything for it.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: EventStreamOptions;
  readonly #closed = new AbortController();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #exemptBytes = 0;
  #wake: (() => void) | undefined;
  #isEnding = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    // Nothing is read ahead: a frame leaves only when the connection takes it.
    const strategy = { highWaterMark: 0 };
    this.body = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#close() },
      strategy,
    );
  }

  /** Aborts when the stream is over. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** What the client missed: must be delivered however much it is, or it would never catch up. */
  replay(frames: readonly string[]): void {
    for (const frame of frames) this.#exemptBytes += this.#enqueue(frame);
    this.#rouse();
  }

  send(frame: string): void {
    if (this.closed.aborted || this.#isEnding) return;
    this.#enqueue(frame);
    if (this.#waitingBytes - this.#exemptBytes > this.#options.maxWaitingBytes) this.cut();
    else this.#rouse();
  }

  /** Ends the stream after what is waiting. */
  end(): void {
    this.#isEnding = true;
    this.#rouse();
  }

  cut(): void {
    if (this.closed.aborted) return;
    this.#close();
    this.#options.cut();
  }

  #enqueue(frame: string): number {
    const bytes = encoder.encode(frame);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    return bytes.byteLength;
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#waiting.length === 0 && !this.#isEnding && !this.closed.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.closed.aborted) return;
    const bytes = this.#take();
    if (bytes.byteLength > 0) controller.enqueue(bytes);
    else {
      controller.close();
      this.#close();
    }
  }

  /** Whole frames from the front, several at once where there are many: each chunk is a write of its own. */
  #take(): Uint8Array {
    let count = 0;
    let size = 0;
    for (const { byteLength } of this.#waiting) {
      if (count > 0 && size + byteLength > CHUNK_BYTES) break;
      count += 1;
      size += byteLength;
    }
    this.#waitingBytes -= size;
    this.#exemptBytes = Math.max(0, this.#exemptBytes - size);
    return Buffer.concat(this.#waiting.splice(0, count), size);
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  #close(): void {
    if (this.closed.aborted) return;
    this.#waiting = [];
    this.#closed.abort();
    this.#rouse();
    this.#options.onClosed();
  }
}
