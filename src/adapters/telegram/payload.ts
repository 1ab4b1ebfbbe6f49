/** Telegram's messages as the outbox keeps them. A stored payload may be of an older version: it is read with care. */
import type { MessageEntity } from 'grammy/types';
import type { JsonValue } from '../../core/json.js';
import type { EncodedMessage } from '../../core/outbound.js';
import type { TelegramText } from './encode.js';
import { fieldsOf, listOf } from './fields.js';

export const toEncoded = ({ text, entities }: TelegramText): EncodedMessage => ({
  text,
  // The entities that encode makes are flat objects of strings and numbers.
  payload: { entities: entities as unknown as readonly JsonValue[] },
});

/** A payload that is not ours gives the plain text. */
export const fromEncoded = ({ text, payload }: EncodedMessage): TelegramText => ({
  text,
  // Written by `toEncoded`, and checked by the server again; a refused one is sent as plain text.
  entities: listOf(fieldsOf(payload)?.['entities']) as MessageEntity[],
});
