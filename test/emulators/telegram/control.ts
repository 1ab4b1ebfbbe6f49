/**
 * The test's hand on the emulator. Every wait is bounded (10 s unless said otherwise) and fails with what was there
 * instead; nothing here sleeps.
 */
import {
  createActions,
  createFaultControls,
  createReads,
  createWaits,
  createWire,
} from './control-client.js';
import type {
  CallFilter,
  CallRecord,
  ChatMessage,
  ChatSpec,
  FaultAction,
  FaultSpec,
  FaultState,
  MessageUpdate,
  PushedUpdate,
  UpdateSpec,
  UserSpec,
  WaitCondition,
  WorldSpec,
  WorldState,
} from './protocol.js';
import type { Entity } from './text/entity.js';

export type * from './protocol.js';

export interface WaitOptions {
  /** Default 10 000. */
  readonly timeoutMs?: number;
}

export interface FaultHandle {
  readonly id: number;
  /** Lets the calls it holds go. */
  release(): Promise<void>;
  /** Releases and forgets it. */
  remove(): Promise<void>;
  state(): Promise<FaultState>;
  /** Waits until it holds so many calls (delay and hang). */
  waitUntilHeld(count?: number, options?: WaitOptions): Promise<void>;
}

export type SendOptions = Partial<Omit<MessageUpdate, 'kind' | 'userId' | 'chatId' | 'text'>>;
export type FaultMatch = Omit<FaultSpec, 'action'>;

export interface TelegramControl {
  readonly token: string;
  /** For `apiRoot`, `platforms.telegram.api_root`. */
  readonly apiRoot: string;

  /** Creates the world, or starts it over. */
  reset(spec?: WorldSpec): Promise<WorldState>;
  remove(): Promise<void>;
  state(): Promise<WorldState>;
  setChat(chat: ChatSpec): Promise<void>;
  setUser(user: UserSpec): Promise<void>;

  /** A text from a person. In private chats the chat's id is the person's. */
  sendText(userId: number, chatId: number, text: string, options?: SendOptions): Promise<PushedUpdate>;
  /** A text in the private chat with that person. */
  sendDirect(userId: number, text: string, options?: SendOptions): Promise<PushedUpdate>;
  editText(
    chatId: number,
    messageId: number,
    text: string,
    entities?: readonly Entity[],
  ): Promise<PushedUpdate>;
  press(userId: number, chatId: number, messageId: number, data: string): Promise<PushedUpdate>;
  /** The same update again under the same id. */
  redeliver(updateId: number): Promise<PushedUpdate>;
  pushUpdate(update: UpdateSpec): Promise<PushedUpdate>;

  /** Calls so far in order of arrival, by method or filter. */
  calls(filter?: string | CallFilter): Promise<readonly CallRecord[]>;
  clearCalls(): Promise<void>;
  /** Warnings of all calls: what the real server would have changed without a word. */
  warnings(): Promise<readonly string[]>;
  /** What is to be seen in the chat, oldest first; with `deleted` also what was taken away. */
  messages(chatId: number, options?: { readonly deleted?: boolean }): Promise<readonly ChatMessage[]>;
  /** Texts of the bot's visible messages, oldest first. */
  botTexts(chatId: number): Promise<readonly string[]>;

  fault(match: FaultMatch, action: FaultAction): Promise<FaultHandle>;
  faults(): Promise<readonly FaultState[]>;
  clearFaults(): Promise<void>;
  /** Lets every held call go. */
  release(): Promise<number>;
  /** 429 with `retry_after`. */
  flood(match: FaultMatch, retryAfterSeconds: number): Promise<FaultHandle>;
  /** An other instance polls: the poll that waits now and the next ones, `times` in all, answer 409. */
  conflict(times?: number): Promise<void>;
  /** Starts a new period of the rate limit. */
  tick(): Promise<void>;
  /** Offers the webhook once more what it did not take. */
  deliver(): Promise<void>;
  /** A file to be named in `fields` of a message. With `sizeBytes` only, one that cannot be fetched. */
  addFile(file: {
    bytes?: Uint8Array;
    sizeBytes?: number;
    fileName?: string;
    mimeType?: string;
    /** As getFile gives it; absolute, as a server on the bot's host has it. */
    path?: string;
  }): Promise<{
    fileId: string;
    path: string;
    sizeBytes: number;
  }>;

  wait(condition: WaitCondition, options?: WaitOptions): Promise<void>;
  /** Waits for so many finished calls that match, and gives all that match. */
  waitForCalls(
    filter: string | CallFilter,
    count?: number,
    options?: WaitOptions,
  ): Promise<readonly CallRecord[]>;
  /** Waits for a visible message of the bot that contains the text or satisfies the predicate. */
  waitForMessage(
    chatId: number,
    wanted: string | ((message: ChatMessage) => boolean),
    options?: WaitOptions,
  ): Promise<ChatMessage>;
  /** Waits until the bot shows at least so many messages in the chat, and gives them. */
  waitForBotMessages(chatId: number, count: number, options?: WaitOptions): Promise<readonly ChatMessage[]>;
  /** Waits until the chat as a whole satisfies the predicate. */
  waitForChat(
    chatId: number,
    predicate: (messages: readonly ChatMessage[]) => boolean,
    options?: WaitOptions,
  ): Promise<readonly ChatMessage[]>;
  /** Waits until a getUpdates waits for updates: the bot is up and has nothing to fetch. */
  waitForPoll(options?: WaitOptions): Promise<void>;
  /** Waits until the bot confirmed the update to the server. */
  waitForConfirmed(updateId: number, options?: WaitOptions): Promise<void>;
}

export function createTelegramControl(baseUrl: string, token: string): TelegramControl {
  const wire = createWire(`${baseUrl}/control/${encodeURIComponent(token)}`);
  return {
    token,
    apiRoot: baseUrl,
    ...createActions(wire),
    ...createReads(wire),
    ...createFaultControls(wire),
    ...createWaits(wire),
  };
}
