import type { SessionId } from '../../core/ids.js';
import type { ModelMessage } from '../../core/provider.js';

/** Chats that write within the same hour, each with the pages that a model reads. */
const maxSessions = 200;
const maxCharacters = 4_000_000;

interface Entry {
  /** Behind the session's summary, oldest first: all of them, or at least the newest `limit`. */
  readonly messages: ModelMessage[];
  readonly limit: number;
  readonly summary: ModelMessage | undefined;
}

const lengthOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { text }) => sum + text.length, 0);

/** Reads back from the database as the same object: nothing in it that storing would change. */
const isPlain = (message: ModelMessage): boolean => {
  if (message.text.includes('\0')) return false;
  if (message.role === 'user') return message.images === undefined;
  return message.role === 'assistant' && message.toolCalls.length === 0 && message.isPartial === undefined;
};

/**
 * What sessions were last read as: each turn begins with its whole session, of which the end alone is new. To be told of
 * whatever is written; forgets rather than knows better.
 */
export class RecentMessages {
  readonly #entries = new Map<SessionId, Entry>();
  #characters = 0;

  get(session: SessionId, limit: number): readonly ModelMessage[] | undefined {
    const entry = this.#entries.get(session);
    if (entry === undefined || entry.limit < limit) return undefined;
    const messages = entry.messages.slice(Math.max(0, entry.messages.length - limit));
    return entry.summary === undefined ? messages : [entry.summary, ...messages];
  }

  set(session: SessionId, { messages, limit, summary }: Entry): void {
    this.forget(session);
    this.#makeRoom(lengthOf(messages));
    this.#entries.set(session, { messages: [...messages], limit, summary });
  }

  append(session: SessionId, message: ModelMessage): void {
    const entry = this.#entries.get(session);
    if (entry === undefined) return;
    if (!isPlain(message) || entry.messages.length >= 2 * entry.limit) {
      this.forget(session);
      return;
    }
    this.#makeRoom(message.text.length);
    entry.messages.push(message);
  }

  /** Without a session: all. */
  forget(session?: SessionId): void {
    if (session === undefined) {
      this.#entries.clear();
      this.#characters = 0;
      return;
    }
    this.#characters -= lengthOf(this.#entries.get(session)?.messages ?? []);
    this.#entries.delete(session);
  }

  #makeRoom(characters: number): void {
    if (this.#entries.size >= maxSessions || this.#characters + characters > maxCharacters) this.forget();
    this.#characters += characters;
  }
}
