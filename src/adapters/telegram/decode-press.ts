/** A pressed button to our event. Pure, and total like the rest of decoding. */
import type { AccountId } from '../../core/ids.js';
import type { InboundChoice } from '../../core/inbound.js';
import { type Fields, fieldsOf, integerOf, nameOf } from '../kit/fields.js';
import { decodeOrigin } from './decode-origin.js';
import { messageIdOf, telegramId, userIdOf } from './ids.js';
import { displayNameOf } from './provenance.js';

type PressContext = Pick<InboundChoice, 'correlation' | 'receivedAt'> & { readonly account: AccountId };

/** Undefined for a button of a game, or of a message that was sent by way of somebody else's chat. */
export const decodePress = (
  query: Fields,
  { account, correlation, receivedAt }: PressContext,
): InboundChoice | undefined => {
  const id = nameOf(query['id']);
  const token = nameOf(query['data']);
  const message = fieldsOf(query['message']);
  const from = fieldsOf(query['from']);
  const user = integerOf(from?.['id']);
  const messageId = integerOf(message?.['message_id']);
  const origin = message === undefined ? undefined : decodeOrigin(message, account);
  if (id === undefined || token === undefined || from === undefined || user === undefined) return undefined;
  if (messageId === undefined || origin === undefined) return undefined;
  return {
    type: 'action',
    action: 'choose',
    dedupeKey: `${telegramId}:${account}:press:${id}`,
    correlation,
    receivedAt,
    origin,
    sender: { user: userIdOf(user), displayName: displayNameOf(from), isBot: from['is_bot'] === true },
    token,
    message: messageIdOf(messageId),
    press: { query: id },
  };
};
