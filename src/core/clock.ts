/** The only way to learn or pass time; tests drive it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. May step backwards when the host's clock is set. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds; zero or less resolves on the next tick.
   * Rejects with `signal.reason` as soon as the signal aborts.
   */
  sleep(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
