import type { CancelTimer, Clock } from '../../src/core/clock.js';

interface Sleeper {
  readonly dueAt: number;
  readonly ms: number;
  readonly wake: () => void;
}

/** A whole second, so that HTTP dates can name it. */
const defaultStart = Date.UTC(2030, 0, 1);

/** Time that passes only by hand. */
export class ManualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  readonly #watchers = new Set<() => void>();
  #now: number;
  /** Time that passed since the start; unlike `now` it never steps back. */
  #passed = 0;

  constructor(startAt = defaultStart) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  /** Sets the host's clock; sleeps are not touched. */
  setNow(now: number): void {
    this.#now = now;
  }

  sleep(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = this.after(ms, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  after(ms: number, run: () => void): CancelTimer {
    const wake = (): void => {
      if (this.#sleepers.delete(sleeper)) run();
    };
    const sleeper: Sleeper = { dueAt: this.#passed + ms, ms, wake };
    this.#sleepers.add(sleeper);
    if (ms <= 0) setImmediate(wake);
    for (const watcher of this.#watchers) watcher();
    return () => void this.#sleepers.delete(sleeper);
  }

  /** The durations somebody sleeps for, the next due first. */
  get sleeping(): readonly number[] {
    return [...this.#sleepers].sort((one, other) => one.dueAt - other.dueAt).map(({ ms }) => ms);
  }

  /** Resolves once somebody sleeps (for exactly `ms`, or for a time that fits); at once if it is so already. */
  waiting(ms?: number | ((ms: number) => boolean)): Promise<void> {
    const fits = typeof ms === 'function' ? ms : (other: number) => ms === undefined || ms === other;
    return new Promise((resolve) => {
      const check = (): void => {
        if (!this.sleeping.some(fits)) return;
        this.#watchers.delete(check);
        resolve();
      };
      this.#watchers.add(check);
      check();
    });
  }

  /**
   * Lets time pass, from one due sleep to the next, so that those who sleep again within it wake again. Between two
   * wakes everything that needs no I/O settles.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#passed + ms;
    for (let next = this.#nextDue(target); next !== undefined; next = this.#nextDue(target)) {
      this.#passTo(next.dueAt);
      next.wake();
      await settled();
    }
    this.#passTo(target);
    await settled();
  }

  #nextDue(target: number): Sleeper | undefined {
    return [...this.#sleepers]
      .filter(({ dueAt }) => dueAt <= target)
      .sort((one, other) => one.dueAt - other.dueAt)[0];
  }

  #passTo(passed: number): void {
    const step = Math.max(0, passed - this.#passed);
    this.#passed += step;
    this.#now += step;
  }
}

/** All promise callbacks, and what they in turn started, have run. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
};
