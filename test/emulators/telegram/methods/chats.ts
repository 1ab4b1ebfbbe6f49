/** Chats, members, topics, reactions, presses of buttons, and files to fetch. */
import { badRequest } from '../api-error.js';
import { chatJson, userJson } from '../message-json.js';
import { integerParameter, listParameter, objectParameter, textParameter } from '../parameters.js';
import { type MethodCall, openChat } from './method.js';

const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

const CHAT_ACTIONS: ReadonlySet<string> = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'record_audio',
  'upload_audio',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
  'cancel',
]);

const REACTIONS: ReadonlySet<string> = new Set(
  (
    '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 ' +
    '👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'
  ).split(' '),
);

export function sendChatAction({ world, params }: MethodCall): unknown {
  const action = textParameter(params, 'action') ?? '';
  if (!CHAT_ACTIONS.has(action)) throw badRequest('wrong parameter action in request');
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  const threadId = integerParameter(params, 'message_thread_id');
  // Typing is the one thing that may name the General topic.
  if (threadId !== 1 || !chat.isForum) chat.assertThread(threadId);
  return true;
}

export function getChat({ world, params }: MethodCall): unknown {
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  return { ...chatJson(world, chat), accent_color_id: 0, max_reaction_count: 11 };
}

export function getChatMember({ world, params }: MethodCall): unknown {
  const chat = world.namedChat(params['chat_id']);
  const userId = integerParameter(params, 'user_id') ?? 0;
  if (userId === world.bot.id) {
    const status = chat.standing !== 'ok' ? 'left' : chat.botIsAdmin ? 'administrator' : 'member';
    return { user: userJson(world.bot), status };
  }
  const user = world.users.get(userId);
  if (user === undefined) throw badRequest('user not found');
  return { user: userJson(user), status: 'member' };
}

export function getFile({ world, params }: MethodCall): unknown {
  const fileId = textParameter(params, 'file_id') ?? '';
  if (fileId === '') throw badRequest('file_id not specified');
  const file = world.files.get(fileId);
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.sizeBytes > MAX_DOWNLOAD_BYTES) throw badRequest('file is too big');
  return {
    file_id: file.fileId,
    file_unique_id: `u${file.fileId.slice(-7)}`,
    file_size: file.sizeBytes,
    file_path: file.path,
  };
}

export function answerCallbackQuery({ world, params }: MethodCall): unknown {
  const id = textParameter(params, 'callback_query_id') ?? '';
  if (!world.callbackQueries.has(id)) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  if ((textParameter(params, 'text') ?? '').length > 200) throw badRequest('MESSAGE_TOO_LONG');
  world.callbackQueries.delete(id);
  return true;
}

/** A bot that is no subscriber sets at most one reaction; the empty list takes it away. */
export function setMessageReaction({ world, params }: MethodCall): unknown {
  const chat = world.namedChat(params['chat_id']);
  chat.assertWritable();
  const message = chat.find(integerParameter(params, 'message_id'));
  if (message === undefined) throw badRequest('message to react not found');
  const reactions = (listParameter(params, 'reaction') ?? []).map((item) => {
    const emoji = textParameter(objectParameter({ item }, 'item') ?? {}, 'emoji')?.replace(/\ufe0f/g, '');
    if (emoji === undefined || !REACTIONS.has(emoji)) throw badRequest('REACTION_INVALID');
    return emoji;
  });
  if (reactions.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  message.reactions = reactions;
  chat.version += 1;
  world.changed('edited', message);
  return true;
}

export function createForumTopic(call: MethodCall): unknown {
  const { params } = call;
  const name = textParameter(params, 'name') ?? '';
  if (name.trim() === '' || name.length > 128) throw badRequest('TOPIC_TITLE_EMPTY');
  const { chat } = openChat(call);
  if (!chat.isForum && chat.topics.size === 0) throw badRequest('the chat is not a forum');
  const id = chat.nextMessageId();
  chat.change({ id: chat.id, topics: [{ id, name }] });
  return { message_thread_id: id, name, icon_color: 7_322_096 };
}

export function closeForumTopic(call: MethodCall): unknown {
  return changeTopic(call, true);
}

export function reopenForumTopic(call: MethodCall): unknown {
  return changeTopic(call, false);
}

function changeTopic({ world, params }: MethodCall, closed: boolean): true {
  const chat = world.namedChat(params['chat_id']);
  const topic = chat.topics.get(integerParameter(params, 'message_thread_id') ?? 0);
  if (topic === undefined) throw badRequest('message thread not found');
  chat.change({ id: chat.id, topics: [{ ...topic, closed }] });
  return true;
}
