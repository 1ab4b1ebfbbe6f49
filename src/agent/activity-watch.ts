import type { CancelTimer, Clock } from '../core/clock.js';
import type { ToolCallId } from '../core/ids.js';
import type { InactivityLimit } from '../core/turn.js';

/** Why a turn is aborted in which nothing happens any more; its message is for the person. */
export class TurnInactive extends Error {}

interface Work {
  readonly what: string;
  readonly since: number;
}

/** Notices when a turn stands still: neither a sign of life from the model nor the beginning or end of a tool call. */
export class ActivityWatch {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #setting: string;
  readonly #onInactive: (reason: TurnInactive) => void;
  readonly #calls = new Map<ToolCallId, Work>();
  #last: Work;
  #lastAt: number;
  #cancel: CancelTimer | undefined;

  /** Watches until it is stopped or has called `onInactive`; without a limit not at all. */
  constructor(
    clock: Clock,
    { timeoutMs, setting }: InactivityLimit = { timeoutMs: 0, setting: '' },
    onInactive: (reason: TurnInactive) => void,
  ) {
    this.#clock = clock;
    this.#limitMs = timeoutMs;
    this.#setting = setting;
    this.#onInactive = onInactive;
    this.#lastAt = clock.now();
    this.#last = { what: 'beginning', since: this.#lastAt };
    if (timeoutMs > 0) this.#watch(timeoutMs);
  }

  touch(): void {
    this.#lastAt = this.#clock.now();
  }

  modelAsked(model: string): void {
    this.touch();
    this.#last = { what: `waiting for the model ${model}`, since: this.#lastAt };
  }

  callBegun(call: ToolCallId, what: string): void {
    this.touch();
    this.#calls.set(call, { what: `running ${what}`, since: this.#lastAt });
  }

  callEnded(call: ToolCallId): void {
    this.touch();
    this.#calls.delete(call);
  }

  stop(): void {
    this.#cancel?.();
  }

  #watch(leftMs: number): void {
    const before = this.#lastAt;
    this.#cancel = this.#clock.after(leftMs, () => {
      if (this.#lastAt === before) return this.#onInactive(new TurnInactive(this.#describe()));
      // A clock that was set meanwhile must neither end the turn nor keep it for ever.
      const quietMs = this.#clock.now() - this.#lastAt;
      this.#watch(Math.min(this.#limitMs, Math.max(1, this.#limitMs - quietMs)));
    });
  }

  #describe(): string {
    const running = [...this.#calls.values()];
    const works = running.length > 0 ? running : [this.#last];
    const now = this.#clock.now();
    const shown = works.map(({ what, since }) => `${what} (for ${formatTime(now - since)})`).join(', ');
    return (
      `I stopped because nothing had happened for ${formatTime(this.#limitMs)}. I was ${shown}. ` +
      `Please try again; how long I wait is ${this.#setting} in config.yaml.`
    );
  }
}

const formatTime = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
};
