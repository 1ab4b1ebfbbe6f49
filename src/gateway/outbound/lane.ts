import type { Clock } from '../../core/clock.js';

type Task = () => Promise<void>;

interface LaneOptions {
  readonly clock: Clock;
  /** Called when the line is empty and nothing is held: the lane may be forgotten. */
  onIdle(): void;
  /** A task rejected for another reason than the halt; the next one follows all the same. */
  onError(error: unknown): void;
}

/** The line of one chat: tasks run one after the other, each in its turn. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #halt = new AbortController();
  readonly #tasks: Task[] = [];
  #running: Promise<void> | undefined;
  #heldUntil = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  push(task: Task): void {
    if (this.#halt.signal.aborted) return;
    this.#tasks.push(task);
    this.#running ??= this.#work();
  }

  /** Nothing leaves before `until` (epoch ms). */
  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  get isHeld(): boolean {
    return this.#options.clock.now() < this.#heldUntil;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when both the lane's hold and `notBefore` are over; rejects when the lane is halted. */
  async waitUntil(notBefore: number): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#halt;
    for (let until = Math.max(this.#heldUntil, notBefore); ; until = this.#heldUntil) {
      signal.throwIfAborted();
      const delayMs = until - clock.now();
      if (delayMs > 0) await clock.sleep(delayMs, { signal });
      // Once slept, a wait is over also by a clock that was set back meanwhile; only a new hold makes another.
      if (this.#heldUntil <= until) {
        this.#heldUntil = 0;
        return;
      }
    }
  }

  /** Begins nothing further; resolves when the call under way has ended. */
  async halt(): Promise<void> {
    this.#tasks.length = 0;
    this.#halt.abort(new Error('the lane is halted'));
    await this.#running;
  }

  async #work(): Promise<void> {
    // Starts in the next microtask, so that `#running` is set before the first task looks at the lane.
    await undefined;
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      try {
        await task();
      } catch (error) {
        if (error !== this.#halt.signal.reason) this.#options.onError(error);
      }
    }
    this.#running = undefined;
    if (!this.isHeld) this.#options.onIdle();
  }
}
