/**
 * Per key one runner at a time, and a waiting line. Knows nothing of chats.
 *
 * 1. Never two runs of one key at once: "is it busy" and "start" happen in the same tick.
 * 2. Nothing is left behind: whether the line is empty is asked again in the tick in which a run ends.
 * 3. A key without a run and without a line takes no memory.
 */
export interface MailboxRun {
  readonly signal: AbortSignal;
}

export interface MailboxesOptions<Item> {
  /** Takes what belongs together from the front of the line: at least one item, removed from `waiting`. */
  takeBatch(waiting: Item[]): readonly Item[];
  /** Must not reject; one that does is reported to `onError` and counts as ended. */
  run(key: string, batch: readonly Item[], run: MailboxRun): Promise<void>;
  onError(key: string, error: unknown): void;
}

interface Box<Item> {
  readonly waiting: Item[];
  readonly idle: Promise<void>;
  readonly settle: () => void;
  controller: AbortController;
}

export class Mailboxes<Item> {
  readonly #boxes = new Map<string, Box<Item>>();
  readonly #options: MailboxesOptions<Item>;
  #isPaused = false;

  constructor(options: MailboxesOptions<Item>) {
    this.#options = options;
  }

  /** True if the key had no run: the item starts one. False: it waits. */
  put(key: string, item: Item): boolean {
    const box = this.#boxes.get(key);
    if (box !== undefined) {
      box.waiting.push(item);
      return false;
    }
    if (this.#isPaused) return false;
    let settle = (): void => {};
    const idle = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const created: Box<Item> = { waiting: [item], idle, settle, controller: new AbortController() };
    this.#boxes.set(key, created);
    void this.#drain(key, created);
    return true;
  }

  /** The line itself, for a run that lets waiting items join it; undefined if the key has no run. */
  waiting(key: string): Item[] | undefined {
    return this.#boxes.get(key)?.waiting;
  }

  isRunning(key: string): boolean {
    return this.#boxes.has(key);
  }

  /** Aborts the key's run; the line stays. */
  abort(key: string, reason: Error): boolean {
    const box = this.#boxes.get(key);
    box?.controller.abort(reason);
    return box !== undefined;
  }

  /** Resolves when the key has neither run nor line. */
  async settled(key: string): Promise<void> {
    await this.#boxes.get(key)?.idle;
  }

  /** No further run starts; those under way go on. Resolves when they have ended. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await Promise.all([...this.#boxes.values()].map((box) => box.idle));
  }

  abortAll(reason: Error): void {
    for (const box of this.#boxes.values()) box.controller.abort(reason);
  }

  get counts(): { readonly running: number; readonly waiting: number } {
    let waiting = 0;
    for (const box of this.#boxes.values()) waiting += box.waiting.length;
    return { running: this.#boxes.size, waiting };
  }

  async #drain(key: string, box: Box<Item>): Promise<void> {
    while (box.waiting.length > 0 && !this.#isPaused) {
      box.controller = new AbortController();
      const batch = this.#options.takeBatch(box.waiting);
      try {
        await this.#options.run(key, batch, { signal: box.controller.signal });
      } catch (error) {
        this.#options.onError(key, error);
      }
    }
    this.#boxes.delete(key);
    box.settle();
  }
}
