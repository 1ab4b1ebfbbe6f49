/** One chat: how the bot stands in it, its topics, and its messages as they are now. */
import { badRequest, forbidden } from './api-error.js';
import type { ChatMessage, ChatSpec, ChatStanding, ChatType, TopicSpec } from './protocol.js';
import type { Entity } from './text/entity.js';

export interface StoredMessage {
  readonly id: number;
  readonly chatId: number;
  readonly senderId: number;
  readonly byBot: boolean;
  /** Unix seconds. */
  readonly date: number;
  readonly threadId: number | undefined;
  readonly replyTo: number | undefined;
  /** `photo`, `voice` …; the text is then the caption. */
  readonly media: string | undefined;
  /** Everything of the API's object that is not kept apart here. */
  fields: Readonly<Record<string, unknown>>;
  text: string;
  entities: readonly Entity[];
  markup: unknown;
  editDate: number | undefined;
  history: string[];
  deleted: boolean;
  reactions: readonly string[];
}

export class Chat {
  readonly id: number;
  readonly type: ChatType;
  readonly messages = new Map<number, StoredMessage>();
  readonly topics = new Map<number, TopicSpec>();
  title: string | undefined;
  username: string | undefined;
  isForum: boolean;
  standing: ChatStanding;
  migratedTo: number | undefined;
  botIsAdmin: boolean;
  /** Grows with every change a person could see. */
  version = 0;
  visibleBotMessages = 0;
  lastMessageId: number;
  sendsSinceTick = 0;

  constructor(spec: ChatSpec, firstMessageId: number) {
    this.id = spec.id;
    this.type = spec.type ?? typeById(spec.id);
    this.isForum = false;
    this.standing = 'ok';
    this.botIsAdmin = false;
    this.lastMessageId = firstMessageId - 1;
    this.change(spec);
  }

  /** Takes over the given fields only; topics are added to those that exist. */
  change(spec: ChatSpec): void {
    if (spec.title !== undefined) this.title = spec.title;
    if (spec.username !== undefined) this.username = spec.username;
    if (spec.standing !== undefined) this.standing = spec.standing;
    if (spec.migratedTo !== undefined) this.migratedTo = spec.migratedTo;
    if (spec.botIsAdmin !== undefined) this.botIsAdmin = spec.botIsAdmin;
    for (const topic of spec.topics ?? []) this.topics.set(topic.id, topic);
    this.isForum = spec.is_forum ?? (this.isForum || (this.type === 'supergroup' && this.topics.size > 0));
    // Topics are named by the message that opened them, and 1 is General's.
    if (this.isForum) this.lastMessageId = Math.max(this.lastMessageId, 1);
  }

  nextMessageId(): number {
    this.lastMessageId += 1;
    return this.lastMessageId;
  }

  add(message: StoredMessage): void {
    this.messages.set(message.id, message);
    this.lastMessageId = Math.max(this.lastMessageId, message.id);
    if (message.byBot) this.visibleBotMessages += 1;
    this.version += 1;
  }

  find(messageId: number | undefined): StoredMessage | undefined {
    const message = messageId === undefined ? undefined : this.messages.get(messageId);
    return message?.deleted === true ? undefined : message;
  }

  delete(message: StoredMessage): void {
    message.deleted = true;
    if (message.byBot) this.visibleBotMessages -= 1;
    this.version += 1;
  }

  /** Throws what the server says to a bot that may not write here. */
  assertWritable(): void {
    if (this.migratedTo !== undefined) {
      throw badRequest('group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: this.migratedTo,
      });
    }
    switch (this.standing) {
      case 'ok':
        return;
      case 'not-found':
        throw badRequest('chat not found');
      case 'blocked':
        throw forbidden('bot was blocked by the user');
      case 'deactivated':
        throw forbidden('user is deactivated');
      case 'kicked':
        throw forbidden(`bot was kicked from the ${this.type} chat`);
      case 'left':
        throw forbidden(`bot is not a member of the ${this.type} chat`);
      default:
        throw this.standing satisfies never;
    }
  }

  /**
   * Throws unless a message may be sent to this thread. The General topic of a forum has the id 1 and is refused like
   * an unknown one: it is addressed by naming no thread.
   */
  assertThread(threadId: number | undefined): void {
    if (threadId === undefined || threadId === 0) return;
    const topic = threadId === 1 ? undefined : this.topics.get(threadId);
    if (topic === undefined) throw badRequest('message thread not found');
    if (topic.closed === true && !this.botIsAdmin) throw badRequest('TOPIC_CLOSED');
  }
}

function typeById(id: number): ChatType {
  if (id > 0) return 'private';
  return /^-100\d{7,}$/.test(String(id)) ? 'supergroup' : 'group';
}

/** The message as a person sees it. `name` is the sender's. */
export function viewMessage(message: StoredMessage, name: string): ChatMessage {
  return {
    messageId: message.id,
    chatId: message.chatId,
    from: message.byBot ? 'bot' : 'user',
    userId: message.senderId,
    name,
    text: message.text,
    entities: message.entities,
    ...(message.threadId === undefined ? {} : { threadId: message.threadId }),
    ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    edits: message.history.length - 1,
    deleted: message.deleted,
    history: message.history,
    buttons: viewButtons(message.markup),
    ...(message.media === undefined ? {} : { media: message.media }),
    reactions: message.reactions,
  };
}

function viewButtons(markup: unknown): ChatMessage['buttons'] {
  if (typeof markup !== 'object' || markup === null || !('inline_keyboard' in markup)) return [];
  // Stored keyboards have passed the keyboard check, so their rows and buttons have this form.
  const rows = markup.inline_keyboard as readonly (readonly {
    text: string;
    callback_data?: string;
    url?: string;
  }[])[];
  return rows.map((row) =>
    row.map((button) => ({
      text: button.text,
      ...(button.callback_data === undefined ? {} : { callbackData: button.callback_data }),
      ...(button.url === undefined ? {} : { url: button.url }),
    })),
  );
}
