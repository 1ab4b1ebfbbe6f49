/** Updates that wait for the bot, and the one getUpdates that may wait for them. */
import { type ApiError, conflict } from './api-error.js';

export type Update = Readonly<Record<string, unknown>> & { readonly update_id: number };

/** Without `allowed_updates` the server keeps these to itself. */
const NOT_BY_DEFAULT: ReadonlySet<string> = new Set([
  'chat_member',
  'message_reaction',
  'message_reaction_count',
]);

interface WaitingPoll {
  readonly answer: () => boolean;
  readonly fail: (error: ApiError) => void;
}

export interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
}

export class UpdateQueue {
  #pending: Update[] = [];
  /** Given out once more although confirmed; forgotten as soon as they are given out. */
  #again: Update[] = [];
  #lastId: number;
  #confirmedBelow = 0;
  #allowed: readonly string[] | null = null;
  #waiting: WaitingPoll | undefined;
  readonly #touched: () => void;

  /** `touched` is told when a poll begins or ends to wait and when updates are confirmed. */
  constructor(firstId: number, touched: () => void) {
    this.#lastId = firstId - 1;
    this.#touched = touched;
  }

  get pendingCount(): number {
    return this.#pending.length + this.#again.length;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get isPolled(): boolean {
    return this.#waiting !== undefined;
  }

  get allowed(): readonly string[] | null {
    return this.#allowed;
  }

  isConfirmed(updateId: number): boolean {
    return updateId < this.#confirmedBelow;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The empty list means the default, as in the API. Holds for updates from now on. */
  setAllowed(types: readonly string[]): void {
    this.#allowed = types.length === 0 ? null : types;
  }

  /** False when the bot did not ask for this kind of update. */
  push(update: Update): boolean {
    this.#lastId = Math.max(this.#lastId, update.update_id);
    const type = Object.keys(update).find((key) => key !== 'update_id') ?? '';
    const wanted = this.#allowed === null ? !NOT_BY_DEFAULT.has(type) : this.#allowed.includes(type);
    if (!wanted) return false;
    const last = this.#pending.at(-1);
    this.#pending.push(update);
    if (last !== undefined && last.update_id > update.update_id) {
      this.#pending.sort((a, b) => a.update_id - b.update_id);
    }
    this.#waiting?.answer();
    return true;
  }

  pushAgain(update: Update): void {
    this.#again.push(update);
    this.#waiting?.answer();
  }

  /** The oldest that waits, for a webhook; it waits on until it is `delivered`. */
  get next(): Update | undefined {
    return this.#again[0] ?? this.#pending[0];
  }

  delivered(update: Update): void {
    if (this.#again[0] === update) this.#again.shift();
    else this.#pending = this.#pending.filter((one) => one !== update);
    this.#confirmedBelow = Math.max(this.#confirmedBelow, update.update_id + 1);
    this.#touched();
  }

  drop(): void {
    this.#pending = [];
    this.#again = [];
  }

  /** Ends a waiting poll with a conflict. False when none waits. */
  terminate(error: ApiError = terminatedByOther()): boolean {
    if (this.#waiting === undefined) return false;
    this.#waiting.fail(error);
    return true;
  }

  /**
   * Confirms what is below the offset and gives the rest, waiting for it at most the time-out. A poll that still waits
   * loses to this one with 409. An aborted signal (the client left) ends the wait with nothing given.
   */
  async poll(request: PollRequest, signal: AbortSignal): Promise<readonly Update[]> {
    this.terminate();
    this.#confirm(request.offset);
    const ready = this.#take(request.limit);
    if (ready.length > 0 || request.timeoutSeconds <= 0 || signal.aborted) return ready;
    return this.#wait(request, signal);
  }

  #wait(request: PollRequest, signal: AbortSignal): Promise<readonly Update[]> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        if (this.#waiting === waiting) this.#waiting = undefined;
      };
      const give = (): boolean => {
        end();
        resolve(signal.aborted ? [] : this.#take(request.limit));
        this.#touched();
        return true;
      };
      const waiting: WaitingPoll = {
        answer: give,
        fail: (error) => {
          end();
          reject(error);
          this.#touched();
        },
      };
      const timer = setTimeout(give, request.timeoutSeconds * 1000);
      signal.addEventListener('abort', give, { once: true });
      this.#waiting = waiting;
      this.#touched();
    });
  }

  #take(limit: number): readonly Update[] {
    const again = this.#again.splice(0, limit);
    return again.length === 0
      ? this.#pending.slice(0, limit)
      : [...again, ...this.#pending.slice(0, limit - again.length)];
  }

  #confirm(offset: number): void {
    if (offset < 0) {
      this.#pending = this.#pending.slice(offset);
      this.#confirmedBelow = this.#pending[0]?.update_id ?? this.#lastId + 1;
      this.#touched();
      return;
    }
    // An offset far in the future is not believed: the server then starts from the oldest update again.
    if (offset === 0 || offset > this.#lastId + 11) return;
    const keepFrom = this.#pending.findIndex((update) => update.update_id >= offset);
    if (keepFrom !== 0) this.#pending = keepFrom < 0 ? [] : this.#pending.slice(keepFrom);
    this.#confirmedBelow = Math.max(this.#confirmedBelow, offset);
    this.#touched();
  }
}

function terminatedByOther(): ApiError {
  return conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
}
