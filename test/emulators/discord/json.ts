/** Our records as Discord's payloads, v10. */
import type { StoredChannel, StoredFile, StoredGuild, StoredMessage, User } from './stored.js';
import type { World } from './world.js';

const FORWARD = 1;

export const userJson = ({ id, username, global_name, bot }: User) => ({
  id,
  username,
  discriminator: '0',
  global_name: global_name ?? null,
  avatar: null,
  ...(bot ? { bot: true } : {}),
});

export const memberJson = (guild: StoredGuild, userId: string) => ({
  roles: guild.members.get(userId) ?? [],
  joined_at: '2020-01-01T00:00:00.000000+00:00',
  deaf: false,
  mute: false,
  flags: 0,
  nick: null,
});

export const channelJson = (world: World, channel: StoredChannel) => ({
  id: channel.id,
  type: channel.type,
  ...(channel.guildId === undefined
    ? { recipients: [userJson(world.user(channel.recipientId ?? '0'))] }
    : { guild_id: channel.guildId, name: channel.name, position: 0, permission_overwrites: [] }),
  ...(channel.parent_id === undefined ? {} : { parent_id: channel.parent_id }),
  ...(isThread(channel)
    ? { owner_id: world.bot.id, member_count: 2, message_count: 0, thread_metadata: threadMetadata }
    : {}),
  last_message_id: channel.messageIds.at(-1) ?? null,
});

const threadMetadata = {
  archived: false,
  auto_archive_duration: 1440,
  archive_timestamp: '2020-01-01T00:00:00.000000+00:00',
  locked: false,
};

export const isThread = ({ type }: Pick<StoredChannel, 'type'>): boolean => type >= 10 && type <= 12;

export const guildJson = (world: World, guild: StoredGuild) => {
  const channels = world.channelsOf(guild.id);
  return {
    id: guild.id,
    name: guild.name,
    owner_id: world.bot.id,
    large: false,
    unavailable: false,
    joined_at: '2020-01-01T00:00:00.000000+00:00',
    member_count: guild.members.size + 1,
    roles: [{ id: guild.id, name: '@everyone' }, ...guild.roles].map((role, position) => ({
      ...role,
      position,
      permissions: '0',
      color: 0,
      hoist: false,
      managed: false,
      mentionable: false,
      flags: 0,
    })),
    channels: channels.filter((channel) => !isThread(channel)).map((channel) => channelJson(world, channel)),
    threads: channels.filter(isThread).map((channel) => channelJson(world, channel)),
    members: [{ user: userJson(world.bot), ...memberJson(guild, world.bot.id) }],
    emojis: [],
    stickers: [],
    features: [],
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
};

const attachmentJson = (world: World, channelId: string, file: StoredFile) => ({
  id: file.id,
  filename: file.name,
  size: file.size,
  content_type: file.contentType,
  url: `${world.origin()}/cdn/${world.bot.id}/attachments/${channelId}/${file.id}/${encodeURIComponent(file.name)}`,
  proxy_url: `${world.origin()}/cdn/${world.bot.id}/attachments/${channelId}/${file.id}/${encodeURIComponent(file.name)}`,
  ...(file.durationSeconds === undefined ? {} : { duration_secs: file.durationSeconds }),
  ...(file.waveform === undefined ? {} : { waveform: file.waveform }),
});

const mentionsIn = (world: World, content: string) =>
  [...content.matchAll(/<@!?(\d+)>/gu)]
    .map(([, id]) => id)
    .filter((id, index, all) => id !== undefined && all.indexOf(id) === index)
    .filter((id) => id !== undefined && world.users.has(id))
    .map((id) => userJson(world.user(id ?? '')));

/** A quoted message is shown without what it quotes itself. */
const withoutQuote = ({ replyTo: _replyTo, ...message }: StoredMessage): StoredMessage => message;

/** `isReadable` false: what a bot without the message content intent gets. */
export const messageJson = (world: World, message: StoredMessage, isReadable = true): object => {
  const channel = world.channels.get(message.channelId);
  const guild = channel?.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  const author = world.user(message.authorId);
  const quoted = message.replyTo === undefined ? undefined : world.messages.get(message.replyTo);
  return {
    id: message.id,
    channel_id: message.channelId,
    ...(guild === undefined ? {} : { guild_id: guild.id, member: memberJson(guild, author.id) }),
    author: userJson(author),
    content: isReadable ? message.content : '',
    timestamp: message.timestamp,
    edited_timestamp: message.editedAt ?? null,
    tts: false,
    mention_everyone: false,
    mentions:
      isReadable || message.content.includes(`<@${world.bot.id}>`) ? mentionsIn(world, message.content) : [],
    mention_roles: isReadable ? [...message.content.matchAll(/<@&(\d+)>/gu)].map(([, id]) => id) : [],
    attachments: isReadable
      ? message.attachments.map((file) => attachmentJson(world, message.channelId, file))
      : [],
    embeds: isReadable ? message.embeds : [],
    components: isReadable ? message.components : [],
    pinned: false,
    type: message.type,
    flags: message.flags,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(message.webhookId === undefined ? {} : { webhook_id: message.webhookId }),
    ...(message.stickers === undefined
      ? {}
      : {
          sticker_items: message.stickers.map((name, index) => ({
            id: `${message.id}${index}`,
            name,
            format_type: 1,
          })),
        }),
    ...(message.replyTo === undefined
      ? {}
      : {
          message_reference: {
            type: 0,
            message_id: message.replyTo,
            channel_id: message.channelId,
            ...(guild === undefined ? {} : { guild_id: guild.id }),
          },
          referenced_message:
            quoted === undefined || quoted.deleted ? null : messageJson(world, withoutQuote(quoted)),
        }),
    ...(message.snapshot === undefined
      ? {}
      : {
          message_reference: { type: FORWARD, message_id: '1', channel_id: '2' },
          message_snapshots: [
            {
              message: {
                type: 0,
                content: message.snapshot,
                embeds: [],
                attachments: [],
                timestamp: message.timestamp,
              },
            },
          ],
        }),
  };
};
