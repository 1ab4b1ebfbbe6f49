/** Service messages that say that a group has become a supergroup, which has another id. Pure. */
import type { ChatId } from '../../core/ids.js';
import { type Fields, fieldsOf, integerOf } from '../kit/fields.js';
import { chatIdOf } from './ids.js';

export interface Move {
  readonly from: ChatId;
  readonly to: ChatId;
}

const moveOf = (message: Fields): Move | undefined => {
  const here = integerOf(fieldsOf(message['chat'])?.['id']);
  const to = integerOf(message['migrate_to_chat_id']);
  const from = integerOf(message['migrate_from_chat_id']);
  if (here === undefined) return undefined;
  if (to !== undefined) return { from: chatIdOf(here), to: chatIdOf(to) };
  return from === undefined ? undefined : { from: chatIdOf(from), to: chatIdOf(here) };
};

/** Both the old and the new chat tell of a move, so it may come twice. */
export const findMoves = (updates: readonly unknown[]): readonly Move[] =>
  updates
    .map((update) => fieldsOf(fieldsOf(update)?.['message']))
    .map((message) => (message === undefined ? undefined : moveOf(message)))
    .filter((move) => move !== undefined);
