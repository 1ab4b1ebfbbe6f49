import { ApiError, invalidForm, missingPermissions } from '../api-error.js';
import { channelJson, memberJson, userJson } from '../json.js';
import type { StoredChannel } from '../stored.js';
import type { World } from '../world.js';
import { postMessage } from './messages.js';
import { noContent, ok, type Route } from './route.js';

const PUBLIC_THREAD = 11;
const ANNOUNCEMENT_THREAD = 10;
const ANNOUNCEMENTS = 5;
const FORUM = 15;

const threadName = (value: unknown): string => {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '') throw invalidForm('name', 'BASE_TYPE_REQUIRED', 'This field is required');
  if ([...name].length > 100)
    throw invalidForm('name', 'BASE_TYPE_MAX_LENGTH', 'Must be between 1 and 100 in length.');
  return name;
};

const openThread = (world: World, parent: StoredChannel, id: string, name: string): StoredChannel => {
  if (parent.standing === 'read-only') throw missingPermissions();
  const type = parent.type === ANNOUNCEMENTS ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD;
  const thread = world.setChannel({ id, name, type, parent_id: parent.id }, parent.guildId);
  world.dispatchChannel('THREAD_CREATE', thread);
  return thread;
};

export const channelRoutes: readonly Route[] = [
  {
    verb: 'GET',
    pattern: /^\/channels\/(\d+)$/u,
    run: ({ world, path: [id = ''] }) => ok(channelJson(world, world.namedChannel(id))),
  },
  {
    verb: 'POST',
    pattern: /^\/users\/@me\/channels$/u,
    run: ({ world, body }) => {
      const id = String(body['recipient_id']);
      if (!/^\d+$/u.test(id))
        throw invalidForm('recipient_id', 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
      if (!world.users.has(id)) throw new ApiError(400, 50_033, 'Invalid Recipient(s)');
      return ok(channelJson(world, world.directChannel(id)));
    },
  },
  {
    verb: 'POST',
    pattern: /^\/channels\/(\d+)\/typing$/u,
    run: ({ world, path: [id = ''] }) => {
      world.namedChannel(id);
      return noContent;
    },
  },
  {
    verb: 'POST',
    pattern: /^\/channels\/(\d+)\/messages\/(\d+)\/threads$/u,
    run: ({ world, path: [channelId = '', messageId = ''], body }) => {
      const parent = world.namedChannel(channelId);
      world.namedMessage(channelId, messageId);
      if (parent.guildId === undefined || parent.type >= ANNOUNCEMENT_THREAD)
        throw new ApiError(400, 50_024, 'Cannot execute action on this channel type');
      if (world.channels.has(messageId))
        throw new ApiError(400, 160_004, 'A thread has already been created for this message');
      // A thread begun at a message has that message's id.
      return {
        status: 201,
        body: channelJson(world, openThread(world, parent, messageId, threadName(body['name']))),
      };
    },
  },
  {
    verb: 'POST',
    pattern: /^\/channels\/(\d+)\/threads$/u,
    run: ({ world, path: [channelId = ''], body, files }) => {
      const parent = world.namedChannel(channelId);
      if (parent.type !== FORUM)
        throw new ApiError(400, 50_024, 'Cannot execute action on this channel type');
      const name = threadName(body['name']);
      const message = body['message'];
      if (typeof message !== 'object' || message === null)
        throw invalidForm('message', 'BASE_TYPE_REQUIRED', 'This field is required');
      const thread = openThread(world, parent, world.snowflakes.next(), name);
      // Checked by postMessage field by field.
      postMessage(world, thread, { body: message as Record<string, unknown>, files });
      return { status: 201, body: channelJson(world, thread) };
    },
  },
];

export const userRoutes: readonly Route[] = [
  {
    verb: 'GET',
    pattern: /^\/guilds\/(\d+)\/members\/(\d+)$/u,
    run: ({ world, path: [guildId = '', userId = ''] }) => {
      const guild = world.guilds.get(guildId);
      if (guild === undefined) throw new ApiError(404, 10_004, 'Unknown Guild');
      if (!guild.members.has(userId)) throw new ApiError(404, 10_007, 'Unknown Member');
      return ok({ user: userJson(world.user(userId)), ...memberJson(guild, userId) });
    },
  },
  { verb: 'GET', pattern: /^\/users\/@me$/u, run: ({ world }) => ok(userJson(world.bot)) },
  {
    verb: 'GET',
    pattern: /^\/gateway\/bot$/u,
    run: ({ world }) =>
      ok({
        url: `${world.origin().replace(/^http/u, 'ws')}/gateway/${world.bot.id}`,
        shards: 1,
        session_start_limit: { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 },
      }),
  },
];
