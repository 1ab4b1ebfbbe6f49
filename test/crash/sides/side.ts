/** What a run needs of a platform: people who write there, what is to be seen, and moments that can be waited for. */
import type { Letter } from '../letters.js';

/** Longer than anything takes on a busy machine. */
export const SIDE_TIMEOUT_MS = 30_000;

/** Resolves at the moment that was prepared; rejects if it does not come in time. */
export type Reached = () => Promise<void>;

export interface Side {
  /** Begins with nothing. */
  reset(): Promise<void>;
  remove(): Promise<void>;
  /** Its section of the settings. */
  settings(isStreaming: boolean): object;
  write(letter: Letter): Promise<void>;
  /** Waits until it is known that the letter is stored. It was written already. */
  untilStored(letter: Letter): Promise<void>;
  /** What the bot shows in a chat, oldest first. */
  botTexts(chat: number): Promise<readonly string[]>;
  /** Waits until what the bot shows there is enough. */
  untilShown(chat: number, isEnough: (botTexts: readonly string[]) => boolean): Promise<void>;
  /** Waits until the last message of the chat is the bot's. */
  untilBotIsLast(chat: number): Promise<void>;
  /** So many further calls of the program. */
  afterCalls(count: number): Promise<Reached>;
  /** The send of this text arrives; it has its effect if `applied`, and nobody is told. */
  holdSend(text: string, applied: boolean): Promise<Reached>;
  holdEdit(chat: number, text: string, applied: boolean): Promise<Reached>;
  /** The send of this text is told to wait a second. */
  flood(text: string): Promise<Reached>;
  clearFaults(): Promise<void>;
  /** Messages sent so far. */
  countSends(): Promise<number>;
  /** Prepared before a start: the program has taken up its connection. */
  afterConnection(): Promise<Reached>;
}
