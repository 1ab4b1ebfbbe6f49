import type { ChatId, MessageId, PlatformId, ToolCallId, TurnId } from './ids.js';

/** A file beside a message. */
export interface PageMedia {
  /** By which the media store opens it. */
  readonly id: string;
  readonly name: string;
  /** MIME type. */
  readonly type: string;
}

/** A tool call, as a page shows it. */
export interface PageStep {
  readonly turn: TurnId;
  readonly call: ToolCallId;
  readonly name: string;
  /** `ended`: with its turn, and it is not known how. */
  readonly state: 'finished' | 'failed' | 'ended';
  readonly summary: string;
}

/** Events of a chat page's conversation, so that a page can catch up after any interruption. */
export interface PageEvent {
  /** Grows by one with every event of any session; never reused. */
  readonly sequence: number;
  readonly session: string;
  readonly type: 'message';
  readonly message: MessageId;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly replyTo?: MessageId;
  readonly media?: readonly PageMedia[];
  /** Tool calls that came right before it. */
  readonly steps?: readonly PageStep[];
  /** It says that its turn failed. */
  readonly isFailure?: true;
  readonly at: number;
}

export interface PageSession {
  readonly session: string;
  /** The beginning of the first message. */
  readonly title: string;
  readonly updatedAt: number;
}

export interface PageLogStore {
  /** A message id that is already there is not added again; its event is given back. */
  append(event: Omit<PageEvent, 'sequence'>): Promise<PageEvent>;
  since(session: string, sequence: number): Promise<readonly PageEvent[]>;
  /** The newest `limit` messages, oldest first; `before` pages backwards. */
  history(
    session: string,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<readonly PageEvent[]>;
  sessions(limit: number): Promise<readonly PageSession[]>;
  /** Forgets these events of a session. Gives the files that no other event of any session has. */
  forget(session: string, sequences: readonly number[]): Promise<readonly PageMedia[]>;
  /** Whether an event of any session has this file. */
  hasFile(id: string): Promise<boolean>;
  /**
   * Forgets events before a time; a session that has newer ones keeps its newest `keep`. Gives how many went.
   */
  trim(options: { readonly before: number; readonly keep: number }): Promise<number>;
}

/** What a face of ours shows of conversations, beside their transcripts. */
export interface ShownLog {
  /** Whether it shows chats of the platform. */
  shows(platform: PlatformId): boolean;
  /** Whether it shows a file, by the last segment of its path. */
  names(file: string): Promise<boolean>;
  /** Forgets events of a chat. Gives the files that it now shows nowhere. */
  forget(chat: ChatId, isGone: (event: PageEvent) => boolean): Promise<readonly PageMedia[]>;
}
