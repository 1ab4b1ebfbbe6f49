import { type MessageId, toMessageId } from '../../src/core/ids.js';
import type { Choice } from '../../src/core/parts.js';
import type { Reaction } from '../../src/core/platform.js';

export interface ShownMessage {
  readonly id: MessageId;
  /** As it stands now. */
  readonly text: string;
  /** What stood there before, oldest first. */
  readonly earlier: readonly string[];
  readonly thread?: string;
  readonly replyTo?: string;
  /** Buttons beneath it. */
  readonly choices?: readonly Choice[];
}

/** One chat as the people in it see it. */
export class ScriptedChat {
  readonly #messages: ShownMessage[] = [];
  /** How often the typing indicator was lit. */
  typingCount = 0;
  /** Reactions in their order, by the message they were put under. */
  readonly reactions: { readonly message: string; readonly reaction: Reaction | undefined }[] = [];

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  get texts(): readonly string[] {
    return this.#messages.map(({ text }) => text);
  }

  add(message: Omit<ShownMessage, 'id' | 'earlier'>): MessageId {
    const id = toMessageId(`p${this.#messages.length + 1}`);
    this.#messages.push({ ...message, id, earlier: [] });
    return id;
  }

  /** False if there is no such message. */
  change(id: MessageId, text: string, choices?: readonly Choice[]): boolean {
    const index = this.#messages.findIndex((message) => message.id === id);
    const message = this.#messages[index];
    if (message === undefined) return false;
    const { choices: _choices, ...rest } = message;
    const earlier = message.text === text ? message.earlier : [...message.earlier, message.text];
    this.#messages[index] = { ...rest, text, earlier, ...(choices !== undefined && { choices }) };
    return true;
  }

  /** Somebody took it away. */
  remove(id: MessageId): void {
    const index = this.#messages.findIndex((message) => message.id === id);
    if (index !== -1) this.#messages.splice(index, 1);
  }
}
