/** How often a chat's preview may be edited: slower for a while where Telegram has complained. */
import type { Clock } from '../../core/clock.js';
import type { ChatId } from '../../core/ids.js';
import { isPrivate } from './ids.js';

/** Telegram's own pace: about one message a second in one chat, twenty a minute in a group. */
const PRIVATE_INTERVAL_MS = 1_000;
const GROUP_INTERVAL_MS = 3_000;
/** Sixteen times the usual pause; slower than that a preview shows nothing that the answer does not. */
const MAX_DOUBLINGS = 4;
/** So long without a complaint takes one doubling back. */
const FORGIVEN_AFTER_MS = 5 * 60_000;

interface Complaint {
  readonly doublings: number;
  readonly at: number;
}

export class EditPace {
  readonly #clock: Clock;
  readonly #complaints = new Map<ChatId, Complaint>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Telegram asked to wait in this chat. */
  slowDown(chat: ChatId): void {
    const doublings = Math.min(this.#doublings(chat) + 1, MAX_DOUBLINGS);
    // Those that were forgiven go when they are looked at; nobody may look at a chat again.
    for (const one of this.#complaints.keys()) this.#doublings(one);
    this.#complaints.set(chat, { doublings, at: this.#clock.now() });
  }

  intervalMs(chat: ChatId): number {
    const usualMs = isPrivate(chat) ? PRIVATE_INTERVAL_MS : GROUP_INTERVAL_MS;
    return usualMs * 2 ** this.#doublings(chat);
  }

  #doublings(chat: ChatId): number {
    const complaint = this.#complaints.get(chat);
    if (complaint === undefined) return 0;
    const forgiven = Math.floor((this.#clock.now() - complaint.at) / FORGIVEN_AFTER_MS);
    const left = complaint.doublings - Math.max(0, forgiven);
    if (left > 0) return left;
    this.#complaints.delete(chat);
    return 0;
  }
}
