/**
 * Chats that go on under another id. What was said, allowed or addressed under an earlier id keeps its meaning:
 * 1. A session is named by the first id its chat had, so its history goes on.
 * 2. A message leaves for the newest id, whenever and for whichever it was composed.
 * 3. An id that settings name admits the chat under all its ids.
 */
import type { ChatMove, ChatMoveStore } from '../core/chat-move.js';
import type { ChatId } from '../core/ids.js';
import type { Logger } from '../core/logger.js';
import type { Route } from '../core/route.js';
import type { Persist } from './persist.js';

interface ChatMovesDeps {
  readonly store: ChatMoveStore;
  readonly persist: Persist;
  readonly logger: Logger;
}

type Chat = Pick<Route, 'platform' | 'account' | 'chat'>;

const keyOf = ({ platform, account, chat }: Chat): string => JSON.stringify([platform, account, chat]);

export class ChatMoves {
  readonly #deps: ChatMovesDeps;
  readonly #next = new Map<string, ChatId>();
  readonly #previous = new Map<string, ChatId>();

  constructor(deps: ChatMovesDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const move of await this.#deps.store.list()) this.#apply(move);
  }

  /**
   * Resolves with true when the move is stored and in force; with false for one that contradicts what is known (a
   * circle, another end). One that is known already is true. Waits for the disk.
   */
  async record(move: ChatMove): Promise<boolean> {
    const { from, to, ...where } = move;
    const known = this.#next.get(keyOf({ ...where, chat: from }));
    if (known !== undefined) return known === to;
    if (
      this.names({ ...where, chat: to }).includes(from) ||
      this.current({ ...where, chat: to }).chat === from
    )
      return false;
    await this.#deps.persist(() => this.#deps.store.add(move));
    this.#apply(move);
    this.#deps.logger.info({ platform: move.platform, from, to }, 'chat goes on under another id');
    return true;
  }

  /** The same place under the newest id of its chat. */
  current<Place extends Chat>(place: Place): Place {
    return this.#last(place, this.#next);
  }

  /** The same place under the first id that its chat had. */
  first<Place extends Chat>(place: Place): Place {
    return this.#last(place, this.#previous);
  }

  /** Every id of the chat, the first one first. */
  names(place: Chat): readonly ChatId[] {
    const names: ChatId[] = [];
    let chat: ChatId | undefined = this.first(place).chat;
    for (; chat !== undefined; chat = this.#next.get(keyOf({ ...place, chat }))) names.push(chat);
    return names;
  }

  #last<Place extends Chat>(place: Place, steps: ReadonlyMap<string, ChatId>): Place {
    let last = place;
    let chat = steps.get(keyOf(place));
    while (chat !== undefined) {
      last = { ...last, chat };
      chat = steps.get(keyOf(last));
    }
    return last;
  }

  #apply({ from, to, ...where }: ChatMove): void {
    this.#next.set(keyOf({ ...where, chat: from }), to);
    this.#previous.set(keyOf({ ...where, chat: to }), from);
  }
}
