/** `POST /control/<token>/<verb>` with JSON in and out: what people and misfortune do. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../kit/loopback-server.js';
import { interact } from './interactions.js';
import { isThread } from './json.js';
import type {
  ChannelSpec,
  FaultSpec,
  FileSpec,
  GuildSpec,
  InteractionSpec,
  SayOptions,
  UserSpec,
  WaitCondition,
  WorldSpec,
} from './protocol.js';
import type { StoredFile, StoredMessage } from './stored.js';
import type { World } from './world.js';

export interface Worlds {
  find(token: string): World | undefined;
  create(token: string, spec: WorldSpec): World;
  remove(token: string): void;
}

/** Shapes are those of protocol.ts: the caller is our own typed client. */
type Verb = (world: World, body: never, signal: AbortSignal) => unknown;

interface Said {
  readonly userId: string;
  /** Absent: the direct channel with the person. */
  readonly channelId?: string;
  readonly text: string;
}

const verbs: Readonly<Record<string, Verb>> = {
  state: (world) => world.state(),
  user: (world, spec: UserSpec) => world.setUser(spec),
  guild: (world, spec: GuildSpec) => void world.setGuild(spec),
  channel: (world, spec: ChannelSpec & { readonly guildId?: string; readonly announce?: boolean }) => {
    const { guildId, announce, ...channel } = spec;
    const made = world.setChannel(channel, guildId);
    if (announce === true) world.dispatchChannel(isThread(made) ? 'THREAD_CREATE' : 'CHANNEL_CREATE', made);
  },
  say: (world, spec: Said & SayOptions) => say(world, spec),
  'say-all': (world, { list }: { readonly list: readonly (Said & SayOptions)[] }) => ({
    said: list.map((spec) => say(world, spec)),
  }),
  edit: (world, { messageId, text }: { readonly messageId: string; readonly text: string }) => {
    const message = known(world, messageId);
    message.content = text;
    message.edits += 1;
    message.editedAt = new Date().toISOString();
    world.dispatchMessage('MESSAGE_UPDATE', message);
  },
  redeliver: (world, { messageId }: { readonly messageId: string }) =>
    world.dispatchMessage('MESSAGE_CREATE', known(world, messageId)),
  dispatch: (world, { t, d }: { readonly t: string; readonly d: unknown }) => world.dispatch(t, d),
  interact: (world, spec: InteractionSpec) => interact(world, spec),
  expire: (world, { interactionId }: { readonly interactionId: string }) => {
    const interaction = world.interactions.get(interactionId);
    if (interaction !== undefined) interaction.isExpired = true;
  },
  interaction: (world, { interactionId }: { readonly interactionId: string }) => {
    const found = world.interactions.get(interactionId);
    return { answered: found?.answered, originalId: found?.originalId, isEphemeral: found?.isEphemeral };
  },
  messages: (world, { channelId }: { readonly channelId: string }) => ({
    messages: world.inChannel(channelId).map((message) => world.see(message)),
    version: world.versionOf(channelId),
  }),
  direct: (world, { userId }: { readonly userId: string }) => ({ channelId: world.directChannel(userId).id }),
  channels: (world) => ({
    channels: [...world.channels.values()].map(({ id, name, type, parent_id }) => ({
      id,
      name,
      type,
      parent_id,
    })),
  }),
  calls: (world, { call }: { readonly call: string }) => ({ calls: world.log.select(call) }),
  'clear-calls': (world) => world.log.clear(),
  fault: (world, spec: FaultSpec) => ({ id: world.faults.add(spec) }),
  'remove-faults': (world) => world.faults.remove(),
  release: (world) => ({ released: world.faults.release() }),
  tick: (world) => world.tick(),
  close: (world, { code }: { readonly code: number }) => {
    for (const { socket } of world.sessions.values()) {
      // Codes that no peer may send stand for a connection that is cut.
      if (code === 1005 || code === 1006) socket?.terminate();
      else socket?.close(code);
    }
  },
  reconnect: (world) => {
    for (const session of world.sessions.values()) session.signal(7);
  },
  invalidate: (world, { resumable, now }: { readonly resumable: boolean; readonly now?: boolean }) => {
    for (const session of world.sessions.values()) {
      if (now === true) session.signal(9, resumable);
      else session.invalid = resumable;
    }
  },
  twice: (world, { seqs }: { readonly seqs: readonly number[] }) => {
    for (const session of world.sessions.values()) session.twice = new Set(seqs);
  },
  silence: (world, { on }: { readonly on: boolean }) => {
    world.isSilent = on;
  },
  refuse: (world, { on }: { readonly on: boolean }) => {
    world.refusesConnections = on;
  },
  revoke: (world) => {
    world.isTokenRevoked = true;
  },
  wait: (world, condition: WaitCondition & { readonly timeoutMs?: number }, signal: AbortSignal) =>
    waitFor(world, condition, signal),
};

const known = (world: World, id: string): StoredMessage => {
  const message = world.messages.get(id);
  if (message === undefined) throw new Error(`no message ${id}`);
  return message;
};

function say(
  world: World,
  spec: Said & SayOptions,
): { readonly messageId: string; readonly channelId: string; readonly dispatchedAt: number } {
  const channel =
    spec.channelId === undefined ? world.directChannel(spec.userId) : world.channels.get(spec.channelId);
  if (channel === undefined) throw new Error(`no channel ${spec.channelId}`);
  const sentAt = spec.sentAt ?? Date.now();
  const message: StoredMessage = {
    id: world.snowflakes.next(sentAt),
    channelId: channel.id,
    authorId: world.user(spec.userId).id,
    content: spec.text,
    type: spec.type ?? (spec.replyTo === undefined ? 0 : 19),
    flags: spec.flags ?? 0,
    timestamp: new Date(sentAt).toISOString(),
    attachments: (spec.files ?? []).map((file) => keep(world, file)),
    embeds: spec.embeds ?? [],
    components: [],
    ...(spec.replyTo === undefined ? {} : { replyTo: spec.replyTo }),
    ...(spec.webhookId === undefined ? {} : { webhookId: spec.webhookId }),
    ...(spec.forwarded === undefined ? {} : { snapshot: spec.forwarded }),
    ...(spec.stickers === undefined ? {} : { stickers: spec.stickers }),
    reactions: new Set(),
    deleted: false,
    edits: 0,
  };
  world.add(message);
  const dispatchedAt = performance.timeOrigin + performance.now();
  if (spec.dispatch !== false) world.dispatchMessage('MESSAGE_CREATE', message);
  return { messageId: message.id, channelId: channel.id, dispatchedAt };
}

function keep(world: World, { name, contentBase64 = '', size, contentType }: FileSpec): StoredFile {
  const bytes = Buffer.from(contentBase64, 'base64');
  const file = {
    id: world.snowflakes.next(),
    name,
    size: size ?? bytes.length,
    contentType: contentType ?? 'application/octet-stream',
    bytes,
  };
  world.files.set(file.id, file);
  return file;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** The one place a test spends real time, bounded by the caller's time-out. */
async function waitFor(
  world: World,
  condition: WaitCondition & { readonly timeoutMs?: number },
  signal: AbortSignal,
): Promise<{ readonly met: boolean; readonly value?: unknown }> {
  const timeout = AbortSignal.timeout(condition.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const { topic, probe } = plan(world, condition);
  const value = await world.watchers.wait([topic], probe, AbortSignal.any([timeout, signal]));
  return value === undefined ? { met: false } : { met: true, value };
}

const met = (isMet: boolean): true | undefined => (isMet ? true : undefined);

function plan(world: World, condition: WaitCondition): { topic: string; probe: () => unknown } {
  switch (condition.kind) {
    case 'ready':
      return { topic: 'gateway', probe: () => met(world.state().connections > 0) };
    case 'sessions':
      return { topic: 'gateway', probe: () => met(world.identifies >= condition.count) };
    case 'message':
      return {
        topic: `channel:${condition.channelId}`,
        probe: () => {
          const found = world.inChannel(condition.channelId).find(({ authorId, content, deleted }) => {
            if (deleted || authorId !== world.bot.id) return false;
            if (condition.equals !== undefined) return content === condition.equals;
            return content.includes(condition.contains ?? '');
          });
          return found === undefined ? undefined : world.see(found);
        },
      };
    case 'bot-messages':
      return {
        topic: `channel:${condition.channelId}`,
        probe: () => {
          const shown = world
            .inChannel(condition.channelId)
            .filter(({ deleted, authorId }) => !deleted && authorId === world.bot.id);
          return met(shown.length >= condition.count);
        },
      };
    case 'calls':
      return {
        topic: 'calls',
        probe: () => met(world.log.has(condition)),
      };
    case 'channel-changed':
      return {
        topic: `channel:${condition.channelId}`,
        probe: () => met(world.versionOf(condition.channelId) !== condition.after),
      };
    case 'held':
      return { topic: 'held', probe: () => met(world.faults.held() >= condition.count) };
    case 'acknowledged':
      return {
        topic: `interaction:${condition.interactionId}`,
        probe: () => world.interactions.get(condition.interactionId)?.answered,
      };
    default:
      throw new Error(`unknown condition: ${JSON.stringify(condition satisfies never)}`);
  }
}

export async function handleControl(
  worlds: Worlds,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const [token = '', verb = ''] = path.split('/').map(decodeURIComponent);
  try {
    const bytes = await readBody(request);
    const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
    if (verb === 'reset') return sendJson(response, 200, worlds.create(token, body as WorldSpec).state());
    if (verb === 'remove') {
      worlds.remove(token);
      return sendJson(response, 200, {});
    }
    const world = worlds.find(token);
    const run = verbs[verb];
    if (world === undefined || run === undefined) throw new Error(`no such world or verb: ${verb}`);
    sendJson(response, 200, (await run(world, body as never, left.signal)) ?? {});
  } catch (error) {
    if (!left.signal.aborted)
      sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}
