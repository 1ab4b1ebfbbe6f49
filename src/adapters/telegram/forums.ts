/** Which groups have topics, learnt from what arrives: in such a group the typing indicator has to name its topic. */
import type { ChatId } from '../../core/ids.js';
import { fieldsOf, integerOf } from '../kit/fields.js';
import { decodedUpdates } from './decode.js';
import { chatIdOf } from './ids.js';

/** Far more than a bot answers in at a time; the oldest is forgotten, and learnt again with its next message. */
const MAX_FORUMS = 10_000;

export class Forums {
  readonly #chats = new Set<ChatId>();

  /** Takes note of an update as it came. */
  learn(update: unknown): void {
    for (const kind of decodedUpdates) {
      const chat = fieldsOf(fieldsOf(fieldsOf(update)?.[kind])?.['chat']);
      const id = integerOf(chat?.['id']);
      if (chat === undefined || id === undefined) continue;
      this.#chats.delete(chatIdOf(id));
      if (chat['is_forum'] === true) this.#chats.add(chatIdOf(id));
    }
    for (const oldest of this.#chats) {
      if (this.#chats.size <= MAX_FORUMS) return;
      this.#chats.delete(oldest);
    }
  }

  has(chat: ChatId): boolean {
    return this.#chats.has(chat);
  }
}
