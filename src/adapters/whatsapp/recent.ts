/** What was received and sent of late, for quotes, reactions, edits and echoes. Only in memory: without it less is shown. */
import type { ChatId, MessageId } from '../../core/ids.js';
import { fieldsOf } from '../kit/fields.js';
import { remember } from '../kit/remember.js';
import type { WAMessage } from './client.js';
import { countOf } from './content.js';
import { kindsOf, unwrap } from './unwrap.js';

const MAX_MESSAGES = 500;
const MAX_CHATS = 1_000;
const MAX_TEXTS = 200;

export class Recent {
  readonly #messages = new Map<MessageId, WAMessage>();
  readonly #sentAt = new Map<string, number>();
  readonly #ephemeral = new Map<ChatId, number>();
  readonly #texts = new Map<string, true>();

  noteReceived(chat: ChatId, id: MessageId, message: WAMessage): void {
    remember(this.#messages, id, message, MAX_MESSAGES);
    remember(this.#ephemeral, chat, expirationOf(message), MAX_CHATS);
  }

  find(id: MessageId): WAMessage | undefined {
    return this.#messages.get(id);
  }

  /** How long messages of a private chat live, as the last one that was received says. Undefined: for ever. */
  ephemeralSeconds(chat: ChatId): number | undefined {
    const seconds = this.#ephemeral.get(chat);
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  }

  noteSentAt(id: string, atMs: number): void {
    remember(this.#sentAt, id, atMs, MAX_MESSAGES);
  }

  sentAt(id: string): number | undefined {
    return this.#sentAt.get(id);
  }

  noteSent(chat: ChatId, content: string): void {
    remember(this.#texts, `${chat} ${content}`, true, MAX_TEXTS);
  }

  /** Whether these very words were sent by us in this chat of late. */
  wasSent(chat: ChatId, content: string): boolean {
    return this.#texts.has(`${chat} ${content}`);
  }
}

const expirationOf = ({ message }: WAMessage): number => {
  const content = unwrap(message);
  for (const kind of kindsOf(content)) {
    const seconds = countOf(fieldsOf(fieldsOf(content[kind])?.['contextInfo'])?.['expiration']);
    if (seconds !== undefined) return seconds;
  }
  return 0;
};
