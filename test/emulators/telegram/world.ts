/** Everything behind one bot token: the bot, the people, the chats, the updates, the log of calls, the faults. */

import { Faults } from '../kit/faults.js';
import { Watchers } from '../kit/watchers.js';
import { badRequest, tooManyRequests } from './api-error.js';
import { CallLog, matchesCall } from './call-log.js';
import { Chat, type StoredMessage, viewMessage } from './chat.js';
import type {
  ChatMessage,
  ChatSpec,
  FaultSpec,
  RateLimit,
  UserSpec,
  WorldSpec,
  WorldState,
} from './protocol.js';
import { type Update, UpdateQueue } from './update-queue.js';
import { Webhook } from './webhook.js';

export type MessageEvent = 'sent' | 'edited' | 'deleted';
/** Told of every change to a bot's message. Must not throw. */
export type MessageListener = (event: MessageEvent, message: ChatMessage, token: string) => void;

export interface StoredFile {
  readonly fileId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly fileName: string;
  readonly mimeType: string;
  /** Absent for a file that only claims a size. */
  readonly bytes: Buffer | undefined;
}

export type User = UserSpec & { readonly first_name: string; readonly is_bot: boolean };

export class World {
  readonly token: string;
  readonly watchers = new Watchers();
  readonly log = new CallLog();
  readonly faults: Faults<FaultSpec, Parameters<typeof matchesCall>[0]>;
  readonly updates: UpdateQueue;
  readonly users = new Map<number, User>();
  readonly chats = new Map<number, Chat>();
  readonly files = new Map<string, StoredFile>();
  /** By scope and language. */
  readonly commands = new Map<string, readonly unknown[]>();
  readonly callbackQueries = new Set<string>();
  /** Kept so that any of them can be delivered once more. */
  readonly pushed = new Map<number, Update>();
  readonly bot: User;
  readonly hasTopicsEnabled: boolean;
  readonly privacyMode: boolean;
  readonly #firstMessageId: number;
  readonly #rateLimit: RateLimit | undefined;
  readonly #listener: MessageListener | undefined;
  #sendsSinceTick = 0;
  #nextFileNumber = 1;
  readonly webhook: Webhook;

  constructor(token: string, spec: WorldSpec, listener?: MessageListener) {
    this.token = token;
    this.#listener = listener;
    this.faults = new Faults<FaultSpec, Parameters<typeof matchesCall>[0]>(matchesCall, () =>
      this.watchers.touch('held'),
    );
    this.updates = new UpdateQueue(spec.startIds?.update ?? 1000, () => this.watchers.touch('updates'));
    this.webhook = new Webhook(this.updates, () => this.watchers.touch('updates'));
    this.#firstMessageId = spec.startIds?.message ?? 1;
    this.#rateLimit = spec.rateLimit;
    this.privacyMode = spec.privacyMode ?? false;
    this.hasTopicsEnabled = spec.bot?.has_topics_enabled ?? false;
    this.bot = {
      id: spec.bot?.id ?? (Number.parseInt(token, 10) || 1),
      is_bot: true,
      first_name: spec.bot?.first_name ?? 'Hermes',
      username: spec.bot?.username ?? 'hermes_test_bot',
    };
    for (const user of spec.users ?? []) this.setUser(user);
    for (const chat of spec.chats ?? []) this.setChat(chat);
  }

  state(): WorldState {
    return {
      bot: this.bot,
      pendingUpdates: this.updates.pendingCount,
      lastUpdateId: this.updates.lastId,
      polling: this.updates.isPolled,
      calls: this.log.size,
      allowedUpdates: this.updates.allowed,
      webhookUrl: this.webhook.spec?.url ?? '',
      webhookAnswers: this.webhook.answers,
    };
  }

  setUser(spec: UserSpec): User {
    const user = { is_bot: false, first_name: `User ${spec.id}`, ...this.users.get(spec.id), ...spec };
    this.users.set(spec.id, user);
    return user;
  }

  user(id: number): User {
    return this.users.get(id) ?? this.setUser({ id });
  }

  setChat(spec: ChatSpec): Chat {
    const known = this.chats.get(spec.id);
    if (known !== undefined) {
      known.change(spec);
      return known;
    }
    const chat = new Chat(spec, this.#firstMessageId);
    this.chats.set(spec.id, chat);
    if (chat.type === 'private') this.user(spec.id);
    return chat;
  }

  /** The chat, made when it is new: for what people do, never for what the bot asks. */
  chat(id: number): Chat {
    return this.chats.get(id) ?? this.setChat({ id });
  }

  /** The chat that a call names by id or @username. Throws when the bot cannot know it. */
  namedChat(name: unknown): Chat {
    if (name === undefined || name === '') throw badRequest('chat_id is empty');
    const chat =
      typeof name === 'string' && name.startsWith('@')
        ? [...this.chats.values()].find(
            (candidate) => candidate.username?.toLowerCase() === name.slice(1).toLowerCase(),
          )
        : this.chats.get(Number(name));
    if (chat === undefined || chat.standing === 'not-found') throw badRequest('chat not found');
    return chat;
  }

  /** Counts a send or an edit; throws 429 when the chat or the bot has used up what one tick allows. */
  spend(chat: Chat): void {
    const limit = this.#rateLimit;
    if (limit === undefined) return;
    const overChat = limit.perChat !== undefined && chat.sendsSinceTick >= limit.perChat;
    const overAll = limit.overall !== undefined && this.#sendsSinceTick >= limit.overall;
    if (overChat || overAll) throw tooManyRequests(limit.retryAfter ?? 1);
    chat.sendsSinceTick += 1;
    this.#sendsSinceTick += 1;
  }

  tick(): void {
    this.#sendsSinceTick = 0;
    for (const chat of this.chats.values()) chat.sendsSinceTick = 0;
  }

  view(message: StoredMessage): ChatMessage {
    const sender = message.byBot ? this.bot : this.user(message.senderId);
    return viewMessage(message, sender.first_name);
  }

  /** Says that a message changed: wakes those who wait and tells the listener. */
  changed(event: MessageEvent, message: StoredMessage): void {
    this.watchers.touch(`chat:${message.chatId}`);
    if (message.byBot) this.#listener?.(event, this.view(message), this.token);
  }

  addFile(file: Partial<Omit<StoredFile, 'fileId'>> & { readonly folder?: string }): StoredFile {
    const number = this.#nextFileNumber;
    this.#nextFileNumber += 1;
    const fileName = file.fileName ?? `file_${number}`;
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0] ?? '';
    const stored: StoredFile = {
      fileId: `AgACemulated${this.bot.id}x${String(number).padStart(6, '0')}`,
      path: file.path ?? `${file.folder ?? 'documents'}/file_${number}${extension}`,
      sizeBytes: file.sizeBytes ?? file.bytes?.length ?? 0,
      fileName,
      mimeType: file.mimeType ?? 'application/octet-stream',
      bytes: file.bytes,
    };
    this.files.set(stored.fileId, stored);
    return stored;
  }

  /** Ends everything that waits here, for a world that is reset or removed. */
  close(): void {
    this.faults.remove();
    this.updates.terminate();
    this.webhook.set(undefined);
  }
}
