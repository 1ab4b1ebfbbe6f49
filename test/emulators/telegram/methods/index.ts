/** Every method that is known. The API takes their names in any letter case. */
import * as chats from './chats.js';
import { sendFile, sendMediaGroup } from './media.js';
import type { Method } from './method.js';
import * as text from './text-messages.js';
import * as updates from './updates.js';

const METHODS: Readonly<Record<string, Method>> = {
  getMe: updates.getMe,
  getUpdates: updates.getUpdates,
  setWebhook: updates.setWebhook,
  deleteWebhook: updates.deleteWebhook,
  getWebhookInfo: updates.getWebhookInfo,
  setMyCommands: updates.setMyCommands,
  getMyCommands: updates.getMyCommands,
  deleteMyCommands: updates.deleteMyCommands,
  sendMessage: text.sendMessage,
  editMessageText: text.editMessageText,
  editMessageCaption: text.editMessageCaption,
  editMessageReplyMarkup: text.editMessageReplyMarkup,
  deleteMessage: text.deleteMessage,
  deleteMessages: text.deleteMessages,
  sendPhoto: sendFile('photo'),
  sendDocument: sendFile('document'),
  sendAudio: sendFile('audio'),
  sendVoice: sendFile('voice'),
  sendVideo: sendFile('video'),
  sendAnimation: sendFile('animation'),
  sendVideoNote: sendFile('video_note'),
  sendSticker: sendFile('sticker'),
  sendMediaGroup,
  sendChatAction: chats.sendChatAction,
  getChat: chats.getChat,
  getChatMember: chats.getChatMember,
  getFile: chats.getFile,
  answerCallbackQuery: chats.answerCallbackQuery,
  setMessageReaction: chats.setMessageReaction,
  createForumTopic: chats.createForumTopic,
  closeForumTopic: chats.closeForumTopic,
  reopenForumTopic: chats.reopenForumTopic,
};

const BY_LOWER_CASE = new Map(
  Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }] as const),
);

export function findMethod(name: string): { readonly name: string; readonly run: Method } | undefined {
  return BY_LOWER_CASE.get(name.toLowerCase());
}
