/** Everything behind one bot token: people, servers, channels, messages, gateway sessions, calls and faults. */
import { Faults } from '../kit/faults.js';
import { Watchers } from '../kit/watchers.js';
import { missingAccess, unknownChannel, unknownMessage } from './api-error.js';
import { CallLog } from './call-log.js';

import type { GatewaySession } from './gateway-session.js';
import type { Interaction } from './interactions.js';
import { channelJson, guildJson, messageJson, userJson } from './json.js';
import type {
  ChannelSpec,
  FaultSpec,
  GuildSpec,
  SeenMessage,
  UserSpec,
  WorldSpec,
  WorldState,
} from './protocol.js';
import { Snowflakes } from './snowflakes.js';
import type { StoredChannel, StoredFile, StoredGuild, StoredMessage, User } from './stored.js';

const INTENT = { guildMessages: 1 << 9, directMessages: 1 << 12, messageContent: 1 << 15 };
const DIRECT = 1;

/** A call as faults look at it: `VERB /path`, and its body as text. */
interface FaultyCall {
  readonly call: string;
  readonly body: string;
}

const isMeant = ({ call, body }: FaultyCall, spec: FaultSpec): boolean =>
  new RegExp(spec.call, 'u').test(call) && (spec.contains === undefined || body.includes(spec.contains));

export type MessageListener = (event: 'sent' | 'edited' | 'deleted', message: SeenMessage) => void;

export class World {
  readonly token: string;
  readonly bot: User;
  readonly snowflakes = new Snowflakes();
  readonly watchers = new Watchers();
  readonly log = new CallLog();
  readonly faults: Faults<FaultSpec, FaultyCall>;
  readonly privileged: ReadonlySet<string>;
  readonly heartbeatIntervalMs: number;
  readonly maxFileBytes: number;
  readonly maxCommands: number;
  readonly users = new Map<string, User>();
  readonly guilds = new Map<string, StoredGuild>();
  readonly channels = new Map<string, StoredChannel>();
  readonly messages = new Map<string, StoredMessage>();
  readonly files = new Map<string, StoredFile>();
  readonly sessions = new Map<string, GatewaySession>();
  readonly interactions = new Map<string, Interaction>();
  readonly resumes: { sessionId: string; seq: number; accepted: boolean }[] = [];
  commands: readonly unknown[] = [];
  commandDeployments = 0;
  identifies = 0;
  heartbeats = 0;
  /** Heartbeats get no answer. */
  isSilent = false;
  refusesConnections = false;
  isTokenRevoked = false;
  readonly origin: () => string;
  readonly #rateLimit: WorldSpec['rateLimit'];
  #readyAt: number | undefined;
  readonly #versions = new Map<string, number>();
  #spent = new Map<string, number>();

  readonly #listener: MessageListener | undefined;

  constructor(token: string, spec: WorldSpec, origin: () => string, listener?: MessageListener) {
    this.#listener = listener;
    this.token = token;
    this.origin = origin;
    this.faults = new Faults(isMeant, () => this.watchers.touch('held'));
    this.privileged = new Set(spec.privilegedIntents ?? ['message-content', 'members', 'presences']);
    this.heartbeatIntervalMs = spec.heartbeatIntervalMs ?? 41_250;
    this.maxFileBytes = spec.maxFileBytes ?? 10 * 1024 * 1024;
    this.maxCommands = spec.maxCommands ?? 100;
    this.#rateLimit = spec.rateLimit;
    this.bot = this.setUser({ id: botIdOf(token), username: 'hermes', bot: true, ...spec.bot });
    for (const user of spec.users ?? []) this.setUser(user);
    for (const guild of spec.guilds ?? []) this.setGuild(guild);
  }

  knows(token: unknown): boolean {
    return token === this.token && !this.isTokenRevoked;
  }

  state(): WorldState {
    const last = [...this.sessions.values()].at(-1);
    return {
      botId: this.bot.id,
      sessions: this.sessions.size,
      connections: [...this.sessions.values()].filter((session) => session.isConnected).length,
      identifies: this.identifies,
      ...(this.#readyAt === undefined ? {} : { readyAt: this.#readyAt }),
      resumes: this.resumes,
      heartbeats: this.heartbeats,
      lastSequence: last?.seq ?? 0,
      commands: this.commands,
      commandDeployments: this.commandDeployments,
    };
  }

  setUser(spec: UserSpec): User {
    const user = { username: `user${spec.id}`, bot: false, ...this.users.get(spec.id), ...spec };
    this.users.set(spec.id, user);
    return user;
  }

  user(id: string): User {
    return this.users.get(id) ?? this.setUser({ id });
  }

  setGuild(spec: GuildSpec): StoredGuild {
    const guild: StoredGuild = {
      id: spec.id,
      name: spec.name ?? `Server ${spec.id}`,
      roles: spec.roles ?? [],
      members: new Map(Object.entries(spec.members ?? {})),
    };
    this.guilds.set(guild.id, guild);
    for (const channel of spec.channels ?? []) this.setChannel(channel, guild.id);
    return guild;
  }

  setChannel(spec: ChannelSpec, guildId?: string): StoredChannel {
    const known = this.channels.get(spec.id);
    const channel: StoredChannel = {
      name: `channel-${spec.id}`,
      type: guildId === undefined ? DIRECT : 0,
      standing: 'member',
      messageIds: [],
      ...known,
      ...spec,
      guildId: known?.guildId ?? guildId,
      recipientId: known?.recipientId,
    };
    this.channels.set(channel.id, channel);
    return channel;
  }

  /** The direct channel with a person, made when it is new. Discord gives it an id of its own. */
  directChannel(userId: string): StoredChannel {
    for (const channel of this.channels.values()) if (channel.recipientId === userId) return channel;
    this.user(userId);
    const channel = this.setChannel({ id: this.snowflakes.next(), type: DIRECT });
    channel.recipientId = userId;
    return channel;
  }

  channelsOf(guildId: string): readonly StoredChannel[] {
    return [...this.channels.values()].filter((channel) => channel.guildId === guildId);
  }

  /** The channel that a call of the bot names; throws what Discord answers where it may not. */
  namedChannel(id: string): StoredChannel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw unknownChannel();
    if (channel.standing === 'unseen') throw missingAccess();
    return channel;
  }

  namedMessage(channelId: string, messageId: string): StoredMessage {
    const message = this.messages.get(messageId);
    if (message === undefined || message.channelId !== channelId || message.deleted) throw unknownMessage();
    return message;
  }

  /** Grows with every message that comes, changes or goes. */
  versionOf(channelId: string): number {
    return this.#versions.get(channelId) ?? 0;
  }

  #touch(channelId: string): void {
    this.#versions.set(channelId, this.versionOf(channelId) + 1);
    this.watchers.touch(`channel:${channelId}`);
  }

  add(message: StoredMessage): void {
    this.messages.set(message.id, message);
    this.channels.get(message.channelId)?.messageIds.push(message.id);
    this.#touch(message.channelId);
    if (message.authorId === this.bot.id) this.#listener?.('sent', this.see(message));
  }

  changed(message: StoredMessage): void {
    this.#touch(message.channelId);
    if (message.authorId === this.bot.id)
      this.#listener?.(message.deleted ? 'deleted' : 'edited', this.see(message));
  }

  inChannel(channelId: string): readonly StoredMessage[] {
    const ids = this.channels.get(channelId)?.messageIds ?? [];
    return ids.map((id) => this.messages.get(id)).filter((message) => message !== undefined);
  }

  /** A fresh session gets what Discord sends first: READY, then each server whole. */
  addSession(session: GatewaySession, resumeUrl: string): void {
    this.sessions.set(session.id, session);
    this.#readyAt = performance.timeOrigin + performance.now();
    session.dispatch('READY', {
      v: 10,
      user: userJson(this.bot),
      guilds: [...this.guilds.keys()].map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: resumeUrl,
      shard: [0, 1],
      private_channels: [],
      application: { id: this.bot.id, flags: 0 },
    });
    for (const guild of this.guilds.values()) session.dispatch('GUILD_CREATE', guildJson(this, guild));
    this.watchers.touch('gateway');
  }

  dispatch(t: string, d: unknown): void {
    for (const session of this.sessions.values()) session.dispatch(t, d);
  }

  /** As Discord does it: only to who asked for such messages, and without content for who may not read it. */
  dispatchMessage(t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: StoredMessage): void {
    const channel = this.channels.get(message.channelId);
    if (channel === undefined || channel.standing === 'unseen') return;
    const needed = channel.guildId === undefined ? INTENT.directMessages : INTENT.guildMessages;
    for (const session of this.sessions.values()) {
      if ((session.intents & needed) === 0) continue;
      const isReadable =
        (session.intents & INTENT.messageContent) !== 0 ||
        channel.guildId === undefined ||
        message.authorId === this.bot.id ||
        message.content.includes(`<@${this.bot.id}>`);
      session.dispatch(t, { ...messageJson(this, message, isReadable), channel_type: channel.type });
    }
  }

  dispatchChannel(t: 'CHANNEL_CREATE' | 'THREAD_CREATE', channel: StoredChannel): void {
    this.dispatch(t, channelJson(this, channel));
  }

  /** Counts a call; gives what is left, or undefined without a limit. Negative: it is one too many. */
  spend(
    bucket: string,
  ): { readonly limit: number; readonly left: number; readonly resetAfterSeconds: number } | undefined {
    if (this.#rateLimit === undefined) return undefined;
    const spent = (this.#spent.get(bucket) ?? 0) + 1;
    this.#spent.set(bucket, spent);
    const { limit, resetAfterSeconds } = this.#rateLimit;
    return { limit, left: limit - spent, resetAfterSeconds };
  }

  tick(): void {
    this.#spent = new Map();
  }

  see(message: StoredMessage): SeenMessage {
    return {
      id: message.id,
      channelId: message.channelId,
      authorId: message.authorId,
      byBot: message.authorId === this.bot.id,
      content: message.content,
      attachments: message.attachments.map((file) => ({
        name: file.name,
        size: file.size,
        contentType: file.contentType,
        contentBase64: file.bytes.toString('base64'),
        ...(file.durationSeconds === undefined ? {} : { durationSeconds: file.durationSeconds }),
        ...(file.waveform === undefined ? {} : { waveform: file.waveform }),
      })),
      components: message.components,
      embeds: message.embeds,
      flags: message.flags,
      ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
      ...(message.allowedMentions === undefined ? {} : { allowedMentions: message.allowedMentions }),
      reactions: [...message.reactions],
      deleted: message.deleted,
      edits: message.edits,
      ephemeral: (message.flags & 64) !== 0,
    };
  }

  close(): void {
    this.faults.remove();
    for (const session of this.sessions.values()) session.socket?.terminate();
    this.sessions.clear();
  }
}

/** A bot's token begins with its id in base64. */
function botIdOf(token: string): string {
  const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64').toString('utf8');
  return /^\d{15,20}$/.test(id) ? id : '900000000000000001';
}
