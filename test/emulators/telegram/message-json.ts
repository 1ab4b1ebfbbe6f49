/** Users, chats and messages in the form the Bot API gives them. */
import type { Chat, StoredMessage } from './chat.js';
import type { Update } from './update-queue.js';
import type { User, World } from './world.js';

type Json = Record<string, unknown>;

export function userJson(user: User): Json {
  return { ...user };
}

export function chatJson(world: World, chat: Chat): Json {
  if (chat.type === 'private') {
    const { first_name, last_name, username } = world.user(chat.id);
    return {
      id: chat.id,
      type: chat.type,
      first_name,
      ...(last_name === undefined ? {} : { last_name }),
      ...(username === undefined ? {} : { username }),
    };
  }
  return {
    id: chat.id,
    type: chat.type,
    title: chat.title ?? `Chat ${chat.id}`,
    ...(chat.username === undefined ? {} : { username: chat.username }),
    ...(chat.isForum ? { is_forum: true } : {}),
  };
}

/** A replied-to message is given once, without the one that it replies to itself. */
export function messageJson(world: World, message: StoredMessage, withReply = true): Json {
  const chat = world.chat(message.chatId);
  const json: Json = {
    message_id: message.id,
    from: userJson(message.byBot ? world.bot : world.user(message.senderId)),
    chat: chatJson(world, chat),
    date: message.date,
  };
  if (message.editDate !== undefined) json['edit_date'] = message.editDate;
  if (message.threadId !== undefined) {
    json['message_thread_id'] = message.threadId;
    if (message.threadId !== 1 && chat.topics.has(message.threadId)) json['is_topic_message'] = true;
  }
  const replied = withReply && message.replyTo !== undefined ? chat.messages.get(message.replyTo) : undefined;
  if (replied !== undefined) json['reply_to_message'] = messageJson(world, replied, false);
  Object.assign(json, message.fields);
  const [textKey, entitiesKey] =
    message.media === undefined ? ['text', 'entities'] : ['caption', 'caption_entities'];
  if (message.text !== '') json[textKey] = message.text;
  if (message.entities.length > 0) json[entitiesKey] = message.entities;
  if (message.markup !== undefined) json['reply_markup'] = message.markup;
  return json;
}

export function messageUpdate(kind: 'message' | 'edited_message', updateId: number, message: Json): Update {
  return { update_id: updateId, [kind]: message };
}
