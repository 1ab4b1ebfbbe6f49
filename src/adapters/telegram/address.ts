/** Where a message goes, as the Bot API names it. Pure. */
import type { MessageId } from '../../core/ids.js';
import type { Route } from '../../core/route.js';
import { numberOf } from './ids.js';

/** The chat of a route, and its topic where there is one. */
export const addressOf = ({ chat, thread }: Route) => ({
  chat_id: numberOf(chat),
  ...(thread === undefined ? {} : { message_thread_id: numberOf(thread) }),
});

/** An answer to a message that was deleted meanwhile is still an answer. */
export const replyOf = (replyTo: MessageId | undefined) =>
  replyTo === undefined
    ? {}
    : { reply_parameters: { message_id: numberOf(replyTo), allow_sending_without_reply: true } };
