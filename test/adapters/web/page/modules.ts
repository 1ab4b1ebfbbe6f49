/** The page's own modules. They are JavaScript for the browser, so their types are told here. */
import type { MarkdownIt } from 'markdown-it';

const load = (name: string): Promise<unknown> =>
  import(new URL(`../../../../src/adapters/web/page/${name}`, import.meta.url).href);

export interface Item {
  readonly key: number;
  readonly version: number;
  readonly kind: 'message' | 'draft' | 'tool' | 'pending' | 'notice';
  readonly id?: string;
  readonly text?: string;
  readonly state?: string;
  /** Of a tool. */
  readonly name?: string;
  readonly isOpen?: boolean;
  readonly isStopped?: boolean;
  readonly isError?: boolean;
}

export interface Conversation {
  readonly items: readonly Item[];
  readonly isWorking: boolean;
  readonly turnId?: string;
  readonly detail?: string;
}

export interface ConversationModule {
  createConversation(): Conversation;
  applyEvent(conversation: Conversation, event: string, data: unknown): void;
  prependHistory(conversation: Conversation, messages: readonly unknown[], steps?: readonly unknown[]): void;
  addPending(conversation: Conversation, entry: { clientId: string; text: string }): void;
  markPending(
    conversation: Conversation,
    clientId: string,
    change: { state: string; id?: string; problem?: string },
  ): void;
  dropPending(conversation: Conversation, clientId: string): void;
  questionOf(conversation: Conversation, answer: Item | undefined): Item | undefined;
}

// The casts say what the modules export; nothing else knows it.
export const conversationModule = (await load('conversation.js')) as ConversationModule;

export const { createEventParser } = (await load('event-source.js')) as {
  createEventParser(): (piece: string) => readonly { id?: string; event: string; data: string }[];
};

export const { cjkEmphasis } = (await load('cjk.js')) as { cjkEmphasis(markdown: MarkdownIt): void };
