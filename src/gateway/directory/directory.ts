/**
 * The chats that people who may write have written in, so that they can be addressed by name. In memory, because targets
 * are resolved without waiting; a chat is stored when it is new, was renamed, or was not seen for an hour. Where anybody may
 * write, chats have no end: beyond a number the one that was silent longest is forgotten.
 */
import type { DirectoryStore, KnownChat } from '../../core/directory.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { Persist } from '../persist.js';

const REFRESH_MS = 3_600_000;
/** Far more than anybody addresses by name; some megabytes. */
const MAX_CHATS = 10_000;

interface DirectoryDeps {
  readonly store: DirectoryStore;
  readonly persist: Persist;
}

const keyOf = ({ platform, account, chat }: KnownChat): string => JSON.stringify([platform, account, chat]);

export class Directory {
  readonly #deps: DirectoryDeps;
  /** The longest silent first. */
  readonly #chats = new Map<string, KnownChat>();

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const known = (await this.#deps.store.all()).toSorted((one, other) => one.seenAt - other.seenAt);
    for (const chat of known) this.#chats.set(keyOf(chat), chat);
  }

  /** The latest seen first. */
  get chats(): readonly KnownChat[] {
    return [...this.#chats.values()].sort((one, other) => other.seenAt - one.seenAt);
  }

  /** Resolves when it is stored, if it has to be. */
  async note({ type, origin, sender, receivedAt }: InboundEvent): Promise<void> {
    if (type !== 'message') return;
    const { platform, account, chat, chatKind: kind } = origin;
    const title = kind === 'direct' ? sender.displayName : (origin.chatTitle ?? chat);
    const seen: KnownChat = { platform, account, chat, kind, title, seenAt: receivedAt };
    const known = this.#chats.get(keyOf(seen));
    if (known?.title === title && known.kind === kind && receivedAt - known.seenAt < REFRESH_MS) return;
    // Put back at the end: the order is that in which they were seen.
    this.#chats.delete(keyOf(seen));
    this.#chats.set(keyOf(seen), seen);
    await this.#deps.persist(() => this.#deps.store.note(seen));
    await this.#forgetSilent();
  }

  async #forgetSilent(): Promise<void> {
    for (const [key, chat] of this.#chats) {
      if (this.#chats.size <= MAX_CHATS) return;
      this.#chats.delete(key);
      await this.#deps.persist(() => this.#deps.store.forget(chat));
    }
  }
}
