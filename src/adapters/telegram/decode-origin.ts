/** Where a message stands. Pure. */
import type { AccountId, ThreadId } from '../../core/ids.js';
import type { ChatKind, Origin } from '../../core/route.js';
import { type Fields, fieldsOf, integerOf } from '../kit/fields.js';
import { chatIdOf, telegramId, threadIdOf } from './ids.js';
import { displayNameOf } from './provenance.js';

const chatKinds: ReadonlyMap<unknown, ChatKind> = new Map([
  ['private', 'direct'],
  ['group', 'group'],
  ['supergroup', 'group'],
  ['channel', 'channel'],
]);

/** Only of messages of a topic: replies in ordinary groups carry a thread id as well. */
const decodeThread = (message: Fields): ThreadId | undefined => {
  const thread = integerOf(message['message_thread_id']);
  return thread === undefined || message['is_topic_message'] !== true ? undefined : threadIdOf(thread);
};

export const decodeOrigin = (message: Fields, account: AccountId): Origin | undefined => {
  const chat = fieldsOf(message['chat']);
  const id = integerOf(chat?.['id']);
  const chatKind = chatKinds.get(chat?.['type']);
  if (chat === undefined || id === undefined || chatKind === undefined) return undefined;
  const thread = decodeThread(message);
  return {
    platform: telegramId,
    account,
    chat: chatIdOf(id),
    ...(thread === undefined ? {} : { thread }),
    chatKind,
    chatTitle: displayNameOf(chat),
  };
};
