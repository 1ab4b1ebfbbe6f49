import type { Clock } from '../../../core/clock.js';

/**
 * A limit is watched in slices: a touch only sets a flag, which costs nothing per byte, and the limit is kept to within
 * one slice.
 */
const slices = 6;

/** A reason at hand: an abort without one makes an error with a stack. */
const stopped = new Error('the watch is stopped');

/** Notices when a stream has said nothing for too long. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onSilence: (limitMs: number) => void;
  #isTouched = false;
  #running: AbortController | undefined;

  /** `onSilence` is called at most once for each start, and not after a stop. */
  constructor(clock: Clock, onSilence: (limitMs: number) => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** Begins to watch, or goes on with another limit counted from now. */
  start(limitMs: number): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    // The only rejection is that of the sleep, when the watch is stopped.
    this.#watch(limitMs, running.signal).catch(() => undefined);
  }

  /** There was a sign of life. */
  touch(): void {
    this.#isTouched = true;
  }

  stop(): void {
    this.#running?.abort(stopped);
    this.#running = undefined;
  }

  async #watch(limitMs: number, signal: AbortSignal): Promise<void> {
    this.#isTouched = false;
    for (let quiet = 0; quiet < slices; quiet = this.#isTouched ? 0 : quiet + 1) {
      this.#isTouched = false;
      await this.#clock.sleep(limitMs / slices, { signal });
    }
    this.#onSilence(limitMs);
  }
}
