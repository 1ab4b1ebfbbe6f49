/** Whose words a message carries besides its sender's: names of people and chats, forwards, answers across chats. Pure. */

import { type Fields, fieldsOf, integerOf, nameOf, shorten } from '../kit/fields.js';
import { findContent } from './describe.js';

/** Enough to know what an answer refers to; the conversation itself is in the history. */
export const MAX_QUOTE_LENGTH = 1000;
const MAX_AUTHOR_LENGTH = 200;

export const displayNameOf = (person: Fields): string =>
  nameOf(person['title']) ??
  nameOf([nameOf(person['first_name']), nameOf(person['last_name'])].filter(Boolean).join(' ')) ??
  nameOf(person['username']) ??
  String(integerOf(person['id']) ?? 'somebody');

/** The author of a message from elsewhere: some people hide behind a bare name. */
const sourceName = (source: Fields): string => {
  const author =
    fieldsOf(source['sender_user']) ?? fieldsOf(source['sender_chat']) ?? fieldsOf(source['chat']);
  return nameOf(source['sender_user_name']) ?? (author === undefined ? 'somebody' : displayNameOf(author));
};

/** Who wrote a forwarded message, as far as Telegram says. */
const forwardedFrom = (message: Fields): string | undefined => {
  const source = fieldsOf(message['forward_origin']);
  // What a channel posts into its discussion group is its own message there.
  if (source === undefined || message['is_automatic_forward'] === true) return undefined;
  return sourceName(source);
};

/** What an answer to a message of another chat shows of it. */
const externalQuote = (message: Fields): string | undefined => {
  const external = fieldsOf(message['external_reply']);
  if (external === undefined) return undefined;
  const author = sourceName(fieldsOf(external['origin']) ?? {});
  const text = nameOf(fieldsOf(message['quote'])?.['text']) ?? findContent(external)?.description;
  const from = `a message of ${shorten(author, MAX_AUTHOR_LENGTH)} in another chat`;
  return text === undefined ? from : `${from}: “${shorten(text, MAX_QUOTE_LENGTH)}”`;
};

/** In words, e.g. `a message forwarded from Ada`; empty for what the sender wrote themselves in this chat. */
export const describeProvenance = (message: Fields): readonly string[] => {
  const author = forwardedFrom(message);
  const forwarded =
    author === undefined ? undefined : `a message forwarded from ${shorten(author, MAX_AUTHOR_LENGTH)}`;
  return [forwarded, externalQuote(message)].filter((description) => description !== undefined);
};
