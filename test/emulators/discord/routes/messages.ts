import { ApiError, cannotMessage, invalidForm, missingPermissions, unknownMessage } from '../api-error.js';
import { messageJson } from '../json.js';
import { readMessageBody } from '../message-body.js';
import { isLater } from '../snowflakes.js';
import type { StoredChannel, StoredMessage } from '../stored.js';
import type { World } from '../world.js';
import { noContent, ok, type Route, type RouteCall } from './route.js';

const FORUM = 15;
const EPHEMERAL = 64;

const postable = (world: World, channelId: string): StoredChannel => {
  const channel = world.namedChannel(channelId);
  if (channel.standing === 'blocked') throw cannotMessage();
  if (channel.standing === 'read-only') throw missingPermissions();
  return channel;
};

/** Stores and dispatches a message of the bot, or gives the one that bears this nonce already. */
export function postMessage(
  world: World,
  channel: StoredChannel,
  { body, files }: Pick<RouteCall, 'body' | 'files'>,
): StoredMessage {
  if (channel.type === FORUM) throw new ApiError(400, 50_008, 'Cannot send messages in a non-text channel');
  const { allowedMentions, ...read } = readMessageBody(world, body, files);
  if (body['enforce_nonce'] === true && read.nonce !== undefined) {
    const known = world
      .inChannel(channel.id)
      .find(({ nonce, authorId }) => nonce === read.nonce && authorId === world.bot.id);
    if (known !== undefined) return known;
  }
  const now = Date.now();
  const message: StoredMessage = {
    ...read,
    ...(allowedMentions === undefined ? {} : { allowedMentions }),
    id: world.snowflakes.next(now),
    channelId: channel.id,
    authorId: world.bot.id,
    type: read.replyTo === undefined ? 0 : 19,
    timestamp: new Date(now).toISOString(),
    reactions: new Set(),
    deleted: false,
    edits: 0,
  };
  world.add(message);
  if ((message.flags & EPHEMERAL) === 0) world.dispatchMessage('MESSAGE_CREATE', message);
  return message;
}

export function changeMessage(
  world: World,
  message: StoredMessage,
  { body, files }: Pick<RouteCall, 'body' | 'files'>,
): StoredMessage {
  if (message.authorId !== world.bot.id)
    throw new ApiError(403, 50_005, 'Cannot edit a message authored by another user');
  const hasFiles = message.attachments.length > 0 && body['attachments'] === undefined;
  const content = body['content'] === undefined ? { content: message.content } : {};
  const components = body['components'] === undefined ? { components: message.components } : {};
  const read = readMessageBody(world, { ...content, ...components, ...body }, files, { hasFiles });
  message.content = read.content;
  message.components = read.components;
  message.embeds = body['embeds'] === undefined ? message.embeds : read.embeds;
  if (!hasFiles) message.attachments = read.attachments;
  if (read.allowedMentions !== undefined) message.allowedMentions = read.allowedMentions;
  message.edits += 1;
  message.editedAt = new Date().toISOString();
  world.changed(message);
  world.dispatchMessage('MESSAGE_UPDATE', message);
  return message;
}

export const messageRoutes: readonly Route[] = [
  {
    verb: 'GET',
    pattern: /^\/channels\/(\d+)\/messages$/u,
    run: ({ world, path: [channelId = ''], query }) => {
      world.namedChannel(channelId);
      const limit = Number(query.get('limit') ?? 50);
      if (!(limit >= 1 && limit <= 100))
        throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
      const after = query.get('after');
      const messages = world
        .inChannel(channelId)
        .filter(
          ({ deleted, id, flags }) =>
            !deleted && (flags & EPHEMERAL) === 0 && (after === null || isLater(id, after)),
        );
      const page = after === null ? messages.slice(-limit) : messages.slice(0, limit);
      // Newest first, whichever end the page is of.
      return ok([...page].reverse().map((message) => messageJson(world, message)));
    },
  },
  {
    verb: 'GET',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)$/u,
    run: ({ world, path: [channelId = '', id = ''] }) => {
      world.namedChannel(channelId);
      return ok(messageJson(world, world.namedMessage(channelId, id)));
    },
  },
  {
    verb: 'POST',
    pattern: /^\/channels\/(\d+)\/messages$/u,
    run: ({ world, path: [channelId = ''], ...call }) =>
      ok(messageJson(world, postMessage(world, postable(world, channelId), call))),
  },
  {
    verb: 'PATCH',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)$/u,
    run: ({ world, path: [channelId = '', id = ''], ...call }) => {
      postable(world, channelId);
      return ok(messageJson(world, changeMessage(world, world.namedMessage(channelId, id), call)));
    },
  },
  {
    verb: 'DELETE',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)$/u,
    run: ({ world, path: [channelId = '', id = ''] }) => {
      const message = world.namedMessage(channelId, id);
      message.deleted = true;
      world.changed(message);
      world.dispatch('MESSAGE_DELETE', { id, channel_id: channelId });
      return noContent;
    },
  },
  {
    verb: 'PUT',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/u,
    run: ({ world, path: [channelId = '', id = '', emoji = ''] }) => {
      const message = world.namedMessage(channelId, id);
      if (!/^\p{Extended_Pictographic}|^\w+:\d+$/u.test(emoji))
        throw new ApiError(400, 10_014, 'Unknown Emoji');
      message.reactions.add(emoji);
      world.changed(message);
      return noContent;
    },
  },
  {
    verb: 'DELETE',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/u,
    run: ({ world, path: [channelId = '', id = '', emoji = ''] }) => {
      const message = world.messages.get(id);
      if (message === undefined || message.channelId !== channelId) throw unknownMessage();
      message.reactions.delete(emoji);
      world.changed(message);
      return noContent;
    },
  },
];
