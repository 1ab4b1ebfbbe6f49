/** The only way to learn or pass time; tests drive it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. May step backwards when the host's clock is set. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds; zero or less resolves on the next tick.
   * Rejects with `signal.reason` as soon as the signal aborts.
   */
  sleep(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Calls `run` once after `ms` milliseconds, unless what it gives back was called before. For limits that are mostly
   * called off: a sleep that is aborted costs a signal, a promise and a rejection. `run` must not throw.
   */
  after(ms: number, run: () => void): CancelTimer;
}

/** Calling it again, or too late, does nothing. */
export type CancelTimer = () => void;
