/** Sending, editing and deleting messages. */
import { badRequest } from '../api-error.js';
import type { Chat, StoredMessage } from '../chat.js';
import { nowSeconds } from '../incoming.js';
import { messageJson } from '../message-json.js';
import { integerParameter, listParameter, type Parameters, textParameter } from '../parameters.js';
import type { Warn } from '../text/fix.js';
import { formatText, type TextLimit } from '../text/format.js';
import { addBotMessage, type MethodCall, openChat } from './method.js';
import { parseReplyMarkup } from './reply-markup.js';

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

const NEW_TEXT: TextLimit = {
  maxLength: MAX_TEXT,
  emptyReason: 'message text is empty',
  tooLongReason: 'message is too long',
};
// The server words the same refusal differently for an edit.
const EDITED_TEXT: TextLimit = { ...NEW_TEXT, tooLongReason: 'MESSAGE_TOO_LONG' };
const NEW_CAPTION: TextLimit = { maxLength: MAX_CAPTION, tooLongReason: 'message caption is too long' };
const EDITED_CAPTION: TextLimit = { ...NEW_CAPTION, tooLongReason: 'MEDIA_CAPTION_TOO_LONG' };

function readText(params: Parameters, limit: TextLimit, warn: Warn): ReturnType<typeof formatText> {
  return formatText(
    {
      text: textParameter(params, 'text') ?? '',
      parseMode: textParameter(params, 'parse_mode'),
      entities: params['entities'],
    },
    limit,
    warn,
  );
}

export function readCaption(
  params: Parameters,
  warn: Warn,
  limit = NEW_CAPTION,
): ReturnType<typeof formatText> {
  return formatText(
    {
      text: textParameter(params, 'caption') ?? '',
      parseMode: textParameter(params, 'parse_mode'),
      entities: params['caption_entities'],
    },
    limit,
    warn,
  );
}

export function sendMessage(call: MethodCall): unknown {
  const { world, params, warn } = call;
  const body = readText(params, NEW_TEXT, warn);
  const markup = parseReplyMarkup(params);
  const place = openChat(call);
  const message = addBotMessage(world, place, { ...body, markup, media: undefined, fields: {} });
  return messageJson(world, message);
}

export function editMessageText(call: MethodCall): unknown {
  const body = readText(call.params, EDITED_TEXT, call.warn);
  return edit(call, (message) => {
    if (message.media !== undefined) throw badRequest('there is no text in the message to edit');
    return body;
  });
}

export function editMessageCaption(call: MethodCall): unknown {
  const body = readCaption(call.params, call.warn, EDITED_CAPTION);
  return edit(call, (message) => {
    if (message.media === undefined) throw badRequest('there is no caption in the message to edit');
    return body;
  });
}

export function editMessageReplyMarkup(call: MethodCall): unknown {
  return edit(call, ({ text, entities }) => ({ text, entities }));
}

function edit(
  call: MethodCall,
  bodyFor: (message: StoredMessage) => Pick<StoredMessage, 'text' | 'entities'>,
): unknown {
  const { world, params } = call;
  const markup = parseReplyMarkup(params);
  const { chat, message } = findOwn(call);
  const body = bodyFor(message);
  const isSame =
    message.text === body.text &&
    JSON.stringify(message.entities) === JSON.stringify(body.entities) &&
    JSON.stringify(message.markup) === JSON.stringify(markup);
  world.spend(chat);
  if (isSame) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  message.text = body.text;
  message.entities = body.entities;
  message.markup = markup;
  message.editDate = nowSeconds();
  message.history.push(body.text);
  chat.version += 1;
  world.changed('edited', message);
  return messageJson(world, message);
}

function findOwn({ world, params }: MethodCall): { chat: Chat; message: StoredMessage } {
  const messageId = integerParameter(params, 'message_id');
  if (params['chat_id'] === undefined || messageId === undefined)
    throw badRequest('message identifier is not specified');
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  const message = chat.find(messageId);
  if (message === undefined) throw badRequest('message to edit not found');
  if (!message.byBot) throw badRequest("message can't be edited");
  return { chat, message };
}

export function deleteMessage({ world, params }: MethodCall): unknown {
  const messageId = integerParameter(params, 'message_id');
  if (messageId === undefined) throw badRequest('message identifier is not specified');
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  const message = chat.find(messageId);
  if (message === undefined) throw badRequest('message to delete not found');
  if (!mayDelete(chat, message)) throw badRequest("message can't be deleted");
  chat.delete(message);
  world.changed('deleted', message);
  return true;
}

/** Messages that are not there are passed over. */
export function deleteMessages({ world, params }: MethodCall): unknown {
  const ids = listParameter(params, 'message_ids');
  if (ids === undefined || ids.length === 0) throw badRequest('message identifiers are not specified');
  if (ids.length > 100) throw badRequest('too many message identifiers specified');
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  for (const id of ids) {
    const message = chat.find(Number(id));
    if (message === undefined || !mayDelete(chat, message)) continue;
    chat.delete(message);
    world.changed('deleted', message);
  }
  return true;
}

function mayDelete(chat: Chat, message: StoredMessage): boolean {
  return message.byBot || chat.type === 'private' || chat.botIsAdmin;
}
