/** What the people write, and how to find it again. */

/**
 * `plain` is echoed, and so is `photo`, which has a picture; with `read` the model reads a file first, with `effect` it
 * sends a message of its own, with `picture` its answer has a file.
 */
export type LetterKind = 'plain' | 'photo' | 'read' | 'effect' | 'picture';

export interface Letter {
  /** In the text and in every answer that quotes it; no token is part of another. */
  readonly token: string;
  /** From 1, in the order in which they are sent within a chat. */
  readonly number: number;
  /** From 0. */
  readonly chat: number;
  readonly kind: LetterKind;
  readonly text: string;
}

export type SideName = 'telegram' | 'discord';

/** Every other chat. */
export const sideOf = (chat: number): SideName => (chat % 2 === 0 ? 'telegram' : 'discord');

const wishes: Readonly<Record<LetterKind, string>> = {
  plain: 'says hello to the gateway',
  photo: 'shows a photo',
  read: 'wants the note',
  effect: 'wants a postcard',
  picture: 'wants the picture',
};

export function writeLetter(chat: number, number: number, kind: LetterKind): Letter {
  const token = `q${String(chat).padStart(2, '0')}-${String(number).padStart(4, '0')}`;
  return { token, number, chat, kind, text: `${token} ${wishes[kind]}` };
}

/** In every text that asks for the file. */
export const readWish = wishes.read;

/** What the model answers to a wish for the picture, which lies at `path`. */
export const pictureAnswer = ({ text }: Letter, path: string): string => `echo: ${text}\n\nMEDIA:${path}`;

/** The words of an answer, without its files and without what is told of a photo, whose path each platform escapes. */
export const wordsOf = (answer: string): string =>
  answer.replace(/\s*MEDIA:\S+/gu, '').replace(/\s*\[image saved at [^\]]*\]/gu, '');

const effectBegin = 'postcard ';

/** What the model sends by its tool. */
export const effectText = ({ token }: Letter): string => `${effectBegin}${token}`;

const duplicateMark = '(possible duplicate)';
const answerBegin = 'echo: ';

/** A message of the bot, understood. */
export interface BotMessage {
  readonly type: 'answer' | 'effect' | 'notice';
  readonly isMarked: boolean;
  /** The letters it quotes. */
  readonly tokens: readonly string[];
  /** Those that it quotes to their end: the rest may be what is left of an answer that was growing. */
  readonly wholeTokens: readonly string[];
  readonly text: string;
}

export function readBotMessage(text: string): BotMessage {
  const isMarked = text.startsWith(duplicateMark);
  const content = isMarked ? text.slice(duplicateMark.length).trimStart() : text;
  const type = content.startsWith(answerBegin)
    ? 'answer'
    : content.startsWith(effectBegin)
      ? 'effect'
      : 'notice';
  return { type, isMarked, tokens: tokensIn(content), wholeTokens: wholeTokensIn(content), text };
}

export function tokensIn(text: string): readonly string[] {
  return text.match(/\bq\d{2}-\d{4}\b/g) ?? [];
}

const wholeLetter = new RegExp(`\\b(q\\d{2}-\\d{4}) (?:${Object.values(wishes).join('|')})`, 'gu');

const wholeTokensIn = (text: string): readonly string[] =>
  [...text.matchAll(wholeLetter)].map(([, token = '']) => token);

/** The number of the letter within its chat. */
export const numberOf = (token: string): number => Number(token.slice(token.indexOf('-') + 1));
