import { randomBytes } from 'node:crypto';
import type { PageLogStore } from '../../core/page-log.js';
import { type FeedDeps, type FeedLimits, SessionFeed } from './session-feed.js';

const defaultLimits: FeedLimits = { runningUnits: 4_000_000, endedUnits: 64_000 };

/** Feeds kept although nobody follows them, for those who are about to reconnect. */
const MAX_IDLE_FEEDS = 200;

export interface HubOptions {
  readonly pageLog: PageLogStore;
  /** Names this life of the daemon; lower case letters and digits. Default: random. */
  readonly boot?: string;
  readonly limits?: FeedLimits;
}

/** The feeds of all sessions. */
export class Hub {
  readonly #feeds = new Map<string, SessionFeed>();
  readonly #deps: FeedDeps;

  constructor({ pageLog, boot = randomBytes(6).toString('hex'), limits = defaultLimits }: HubOptions) {
    let last = 0;
    const numbers = {
      next: (): number => {
        last += 1;
        return last;
      },
      get last(): number {
        return last;
      },
    };
    this.#deps = { pageLog, boot, limits, numbers };
  }

  feed(session: string): SessionFeed {
    const known = this.#feeds.get(session);
    if (known !== undefined) return known;
    this.#forgetIdle();
    const feed = new SessionFeed(session, this.#deps);
    this.#feeds.set(session, feed);
    return feed;
  }

  #forgetIdle(): void {
    for (const [session, feed] of this.#feeds) {
      if (this.#feeds.size < MAX_IDLE_FEEDS) return;
      if (feed.isIdle) this.#feeds.delete(session);
    }
  }
}
