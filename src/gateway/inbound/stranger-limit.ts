import type { Clock } from '../../core/clock.js';

const WINDOW_MS = 60_000;
/** Enough for people who find the bot by themselves; a flood beyond it is not worth a write each. */
const MAX_EVENTS = 20;

/** How many events of strangers a platform may bring to the store: at most 20 within any minute. */
export class StrangerLimit {
  readonly #clock: Clock;
  readonly #passed = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if one more may pass now, which is then counted. */
  take(platform: string): boolean {
    const now = this.#clock.now();
    // A clock that was set back must not keep the gate shut.
    const recent = (this.#passed.get(platform) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
    const passes = recent.length < MAX_EVENTS;
    if (passes) recent.push(now);
    this.#passed.set(platform, recent);
    return passes;
  }
}
