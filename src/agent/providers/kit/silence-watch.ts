import type { CancelTimer, Clock } from '../../../core/clock.js';

/**
 * A limit is watched in slices: a touch only sets a flag, which costs nothing per byte, and the limit is kept to within
 * one slice.
 */
const slices = 6;

/** Notices when a stream has said nothing for too long. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onSilence: (limitMs: number) => void;
  #isTouched = false;
  #cancel: CancelTimer | undefined;

  /** `onSilence` is called at most once for each start, and not after a stop. */
  constructor(clock: Clock, onSilence: (limitMs: number) => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** Begins to watch, or goes on with another limit counted from now. */
  start(limitMs: number): void {
    this.stop();
    this.#isTouched = false;
    this.#watch(limitMs, 0);
  }

  /** There was a sign of life. */
  touch(): void {
    this.#isTouched = true;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #watch(limitMs: number, quietSlices: number): void {
    this.#cancel = this.#clock.after(limitMs / slices, () => {
      const quiet = this.#isTouched ? 0 : quietSlices + 1;
      this.#isTouched = false;
      if (quiet < slices) this.#watch(limitMs, quiet);
      else this.#onSilence(limitMs);
    });
  }
}
