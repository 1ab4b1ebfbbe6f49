/** Finds out whom a text is for. Entities count in UTF-16 units, as JavaScript strings do. Pure. */
import { type Fields, fieldsOf, integerOf, listOf, textOf } from '../kit/fields.js';

export interface BotIdentity {
  readonly id: number;
  /** Without the `@`. */
  readonly username: string;
}

export interface Addressing {
  /** The text without our own name where that only calls us: at its start, its end or behind a command. */
  readonly text: string;
  readonly isMentioned: boolean;
  /** True for a command that names another bot. */
  readonly isForOther: boolean;
}

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly userId: number | undefined;
}

const toSpan = (entity: unknown, text: string): Span | undefined => {
  const fields = fieldsOf(entity);
  const type = textOf(fields?.['type']);
  const start = integerOf(fields?.['offset']);
  const length = integerOf(fields?.['length']);
  if (type === undefined || start === undefined || length === undefined) return undefined;
  if (start < 0 || length <= 0 || start + length > text.length) return undefined;
  const userId = integerOf(fieldsOf(fields?.['user'])?.['id']);
  return { type, start, end: start + length, text: text.slice(start, start + length), userId };
};

const spansOf = (text: string, entities: unknown): readonly Span[] =>
  listOf(entities)
    .map((entity) => toSpan(entity, text))
    .filter((span) => span !== undefined);

const isOurs = (span: Span, bot: BotIdentity): boolean =>
  (span.type === 'mention' && span.text.toLowerCase() === `@${bot.username.toLowerCase()}`) ||
  (span.type === 'text_mention' && span.userId === bot.id);

/** The bot that a command names, as in `/new@some_bot`; undefined if it names none. */
const addresseeOf = (span: Span): string | undefined =>
  span.type === 'bot_command' ? span.text.split('@', 2)[1]?.toLowerCase() : undefined;

const without = (text: string, start: number, end: number): string => text.slice(0, start) + text.slice(end);

/** Cuts our name out at the ends of the text; one in the middle is part of what is said. */
const stripMentions = (text: string, ours: readonly Span[]): string => {
  const isBlank = (from: number, to: number): boolean => text.slice(from, to).trim() === '';
  let start = 0;
  let end = text.length;
  for (const span of ours) if (span.start >= start && isBlank(start, span.start)) start = span.end;
  for (const span of [...ours].reverse())
    if (span.end <= end && span.start >= start && isBlank(span.end, end)) end = span.start;
  // What follows a name that calls somebody is `, ` or `: ` as often as a blank.
  const rest = start === 0 ? text.slice(start, end) : text.slice(start, end).replace(/^\s*[,:]/u, '');
  return rest.trim() === '' ? text : start === 0 && end === text.length ? text : rest.trim();
};

export const readAddressing = (text: string, entities: unknown, bot: BotIdentity): Addressing => {
  const spans = spansOf(text, entities);
  const command = spans.find(
    (span) => span.type === 'bot_command' && text.slice(0, span.start).trim() === '',
  );
  const addressee = command === undefined ? undefined : addresseeOf(command);
  const ownName = bot.username.toLowerCase();
  if (addressee !== undefined && addressee !== ownName) return { text, isMentioned: false, isForOther: true };
  if (command !== undefined && addressee !== undefined) {
    const nameStart = command.start + command.text.indexOf('@');
    return { text: without(text, nameStart, command.end), isMentioned: true, isForOther: false };
  }
  const ours = spans.filter((span) => isOurs(span, bot));
  const isCalled = spans.some((span) => addresseeOf(span) === ownName);
  return { text: stripMentions(text, ours), isMentioned: ours.length > 0 || isCalled, isForOther: false };
};

/** True if the message answers one of ours. */
export const isReplyTo = (message: Fields, bot: BotIdentity): boolean =>
  integerOf(fieldsOf(fieldsOf(message['reply_to_message'])?.['from'])?.['id']) === bot.id;
