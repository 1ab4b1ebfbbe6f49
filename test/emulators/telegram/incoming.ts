/** What people do: their messages, edits and presses become updates for the bot. */
import type { Chat, StoredMessage } from './chat.js';
import { chatJson, messageJson, messageUpdate, userJson } from './message-json.js';
import type { EditUpdate, MessageUpdate, PushedUpdate, UpdateSpec } from './protocol.js';
import type { Entity } from './text/entity.js';
import { formatUserText } from './text/format.js';
import type { Update } from './update-queue.js';
import type { World } from './world.js';

const MEDIA_FIELDS = [
  'animation',
  'audio',
  'document',
  'paid_media',
  'photo',
  'sticker',
  'video',
  'video_note',
  'voice',
  'story',
  'contact',
  'dice',
  'location',
  'poll',
  'venue',
];

/** Throws an Error with a plain reason for a specification that makes no sense. */
export function pushUpdate(world: World, spec: UpdateSpec): PushedUpdate {
  switch (spec.kind) {
    case 'message':
      return pushMessage(world, spec);
    case 'edited_message':
      return pushEdit(world, spec);
    case 'callback_query':
      return pushCallback(world, spec);
    case 'my_chat_member':
      return pushMembership(world, spec);
    case 'raw': {
      const given = spec.update['update_id'];
      return queue(world, {
        ...spec.update,
        update_id: typeof given === 'number' ? given : world.updates.nextId(),
      });
    }
    case 'redeliver': {
      const update = world.pushed.get(spec.updateId);
      if (update === undefined) throw new Error(`no update ${spec.updateId} was ever pushed`);
      world.updates.pushAgain(update);
      void world.webhook.deliver();
      return { updateId: spec.updateId, queued: true };
    }
    default:
      throw new Error(`unknown kind of update: ${JSON.stringify(spec satisfies never)}`);
  }
}

function queue(world: World, update: Update, visible = true): PushedUpdate {
  world.pushed.set(update.update_id, update);
  const queued = visible && world.updates.push(update);
  void world.webhook.deliver();
  return { updateId: update.update_id, queued };
}

function pushMessage(world: World, spec: MessageUpdate): PushedUpdate {
  const chat = world.chat(spec.chatId ?? spec.userId);
  const sender = world.user(spec.userId);
  const media = MEDIA_FIELDS.find((name) => spec.fields?.[name] !== undefined);
  const caption = spec.fields?.['caption'];
  const captionEntities = spec.fields?.['caption_entities'];
  const { caption: _caption, caption_entities: _entities, ...fields } = spec.fields ?? {};
  const body = formatUserText(
    spec.text ?? (typeof caption === 'string' ? caption : ''),
    // Whoever writes raw caption entities writes them as the API has them.
    spec.entities ?? (Array.isArray(captionEntities) ? (captionEntities as Entity[]) : undefined),
  );
  const message: StoredMessage = {
    id: chat.nextMessageId(),
    chatId: chat.id,
    senderId: sender.id,
    byBot: false,
    date: spec.date ?? nowSeconds(),
    threadId: incomingThread(chat, spec),
    replyTo: spec.replyTo,
    media,
    fields,
    text: body.text,
    entities: body.entities,
    markup: undefined,
    editDate: undefined,
    history: [body.text],
    deleted: false,
    reactions: [],
  };
  chat.add(message);
  world.changed('sent', message);
  const update = messageUpdate('message', world.updates.nextId(), messageJson(world, message));
  return { ...queue(world, update, botSees(world, chat, message)), messageId: message.id };
}

/** Topics named by people exist. A reply in a supergroup carries the id of the thread's first message, topic or not. */
function incomingThread(chat: Chat, spec: MessageUpdate): number | undefined {
  if (spec.threadId !== undefined) {
    // General is there without being a topic.
    if (spec.threadId !== 1 && !chat.topics.has(spec.threadId))
      chat.change({ id: chat.id, topics: [{ id: spec.threadId }] });
    return spec.threadId;
  }
  const replied = chat.find(spec.replyTo);
  if (replied === undefined || chat.type !== 'supergroup') return undefined;
  return replied.threadId ?? replied.id;
}

function pushEdit(world: World, spec: EditUpdate): PushedUpdate {
  const chat = world.chat(spec.chatId);
  const message = chat.find(spec.messageId);
  if (message === undefined || message.byBot)
    throw new Error(`no message ${spec.messageId} of a person in ${spec.chatId}`);
  const body = formatUserText(spec.text, spec.entities);
  message.text = body.text;
  message.entities = body.entities;
  message.editDate = nowSeconds();
  message.history.push(body.text);
  chat.version += 1;
  world.changed('edited', message);
  const update = messageUpdate('edited_message', world.updates.nextId(), messageJson(world, message));
  return { ...queue(world, update, botSees(world, chat, message)), messageId: message.id };
}

function pushCallback(world: World, spec: Extract<UpdateSpec, { kind: 'callback_query' }>): PushedUpdate {
  const chat = world.chat(spec.chatId);
  const message = chat.messages.get(spec.messageId);
  if (message === undefined) throw new Error(`no message ${spec.messageId} in ${spec.chatId}`);
  const updateId = world.updates.nextId();
  const id = String(4_000_000_000_000 + updateId);
  world.callbackQueries.add(id);
  const query = {
    id,
    from: userJson(world.user(spec.userId)),
    message: messageJson(world, message),
    chat_instance: String(chat.id * 7),
    data: spec.data,
  };
  return queue(world, { update_id: updateId, callback_query: query });
}

function pushMembership(world: World, spec: Extract<UpdateSpec, { kind: 'my_chat_member' }>): PushedUpdate {
  const chat = world.chat(spec.chatId);
  const wasMember = chat.standing === 'ok';
  const isMember = spec.status === 'member' || spec.status === 'administrator';
  if (isMember) chat.standing = 'ok';
  else if (spec.status === 'left') chat.standing = 'left';
  else chat.standing = chat.type === 'private' ? 'blocked' : 'kicked';
  chat.botIsAdmin = spec.status === 'administrator';
  const bot = userJson(world.bot);
  const change = {
    chat: chatJson(world, chat),
    from: userJson(world.user(spec.userId)),
    date: nowSeconds(),
    old_chat_member: { user: bot, status: wasMember ? 'member' : 'left' },
    new_chat_member: {
      user: bot,
      status: spec.status,
      ...(spec.status === 'kicked' ? { until_date: 0 } : {}),
    },
  };
  return queue(world, { update_id: world.updates.nextId(), my_chat_member: change });
}

function botSees(world: World, chat: Chat, message: StoredMessage): boolean {
  if (chat.type === 'private') return chat.standing !== 'blocked';
  if (chat.standing !== 'ok') return false;
  if (!world.privacyMode || chat.botIsAdmin || chat.type === 'channel') return true;
  const replied = message.replyTo === undefined ? undefined : chat.messages.get(message.replyTo);
  return (
    replied?.byBot === true || message.entities.some((entity) => addressesBot(world, message.text, entity))
  );
}

function addressesBot(world: World, text: string, entity: Entity): boolean {
  const username = `@${world.bot.username ?? ''}`.toLowerCase();
  const words = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
  switch (entity.type) {
    case 'bot_command':
      return !words.includes('@') || words.endsWith(username);
    case 'mention':
      return words === username;
    case 'text_mention':
      return entity.user?.['id'] === world.bot.id;
    default:
      return false;
  }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
