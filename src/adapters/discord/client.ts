/** The only file that loads the SDK. */
import {
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  HTTPError,
  Options,
  REST,
  type RESTOptions,
  type ResponseLike,
} from 'discord.js';
import type { Clock } from '../../core/clock.js';
import { withTimeLimit } from '../kit/time-limit.js';
import { createHttpTransport, HttpFailure, type HttpTransport } from './transport.js';

/** Why a call failed. Free of the token: made of the call's name and of what the server or the network said. */
export type CallFailure =
  | {
      readonly kind: 'refused';
      /** As in `POST /channels/7/messages`. */
      readonly call: string;
      readonly status: number;
      /** Discord's own code, as in its documentation; 0 where it gave none. */
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs?: number;
    }
  | {
      readonly kind: 'unanswered';
      readonly call: string;
      readonly reason: string;
      /** True if the server may have carried the call out. */
      readonly wasSent: boolean;
    };

export type CallResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

export interface CallRequest {
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as multipart beside the body. */
  readonly files?: readonly { readonly name: string; readonly bytes: Blob }[];
  /** Calls with an interaction's own token carry none of ours. */
  readonly isOpen?: boolean;
}

export interface CallLimits {
  readonly signal: AbortSignal;
  /** The call is given up after this time. Default 30 s. */
  readonly limitMs?: number;
}

/** What became of the connection. `lost`: the SDK resumes by itself. `ended`: it does not, with Discord's close code. */
export type ConnectionNews =
  | { readonly kind: 'ready' | 'resumed' | 'lost' }
  | { readonly kind: 'ended'; readonly code: number };

export interface ConnectionListener {
  dispatch(type: string, data: unknown): void;
  news(news: ConnectionNews): void;
}

export interface Connection {
  /** When the server was last heard, on the host's own clock, epoch ms; 0 before the first time. */
  heardAt(): number;
  close(): Promise<void>;
}

export interface DiscordClient {
  /** Rejects only with the signal's reason. */
  call(request: CallRequest, limits: CallLimits): Promise<CallResult>;
  /** The bytes behind an attachment's address. Rejects only with the signal's reason, or with an HttpFailure. */
  download(url: string, limits: CallLimits): Promise<Response>;
  /** Opens the gateway; resolves once it is ready. Rejects with a {@link LoginFailure}. */
  connect(listener: ConnectionListener): Promise<Connection>;
}

/** `code`: the gateway's close code; 4004 also for a token that REST refuses, 0 for trouble that may pass. */
export class LoginFailure extends Error {
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.name = 'LoginFailure';
    this.code = code;
  }
}

/** Discord answers ordinary calls within a second; after this time the connection is dead. */
const CALL_LIMIT_MS = 30_000;
/** Far above every limit of ours, so that the SDK's own timer, which no test can move, never decides. */
const SDK_LIMIT_MS = 24 * 3_600_000;
/** Discord asks for one to five seconds before a lost session is begun anew. */
const REIDENTIFY_MS = 1_000;
const AUTHENTICATION_FAILED = 4004;

/** What the SDK says of an unrecoverable close, instead of the code. */
const closeCodes: readonly (readonly [RegExp, number])[] = [
  [/authentication failed|invalid token/iu, AUTHENTICATION_FAILED],
  [/invalid shard/iu, 4010],
  [/sharding is required/iu, 4011],
  [/invalid api version/iu, 4012],
  [/invalid intents/iu, 4013],
  [/disallowed intents/iu, 4014],
];

const toLoginFailure = (error: unknown): LoginFailure => {
  if (error instanceof DiscordAPIError && error.status === 401)
    return new LoginFailure(AUTHENTICATION_FAILED, 'the token is refused');
  const reason = error instanceof Error ? error.message : String(error);
  const code = closeCodes.find(([pattern]) => pattern.test(reason))?.[1] ?? 0;
  if (error instanceof HttpFailure) return new LoginFailure(code, error.message);
  if (error instanceof HTTPError) return new LoginFailure(code, `HTTP ${error.status}`);
  return new LoginFailure(code, reason);
};

/** One retry policy, ours: no retries here, no waiting for rate limits, no timer that decides. */
const restOptions = (apiRoot: string, transport: HttpTransport): Partial<RESTOptions> => ({
  api: apiRoot,
  version: '10',
  retries: 0,
  timeout: SDK_LIMIT_MS,
  globalRequestsPerSecond: Number.POSITIVE_INFINITY,
  hashSweepInterval: 0,
  handlerSweepInterval: 0,
  // The SDK reads no more of a response than the transport gives, and gives no more of a request than it takes.
  makeRequest: transport.request as unknown as (url: string, init: object) => Promise<ResponseLike>,
});

const toFailure = (call: string, error: unknown): CallFailure => {
  if (error instanceof HttpFailure) {
    return error.retryAfterMs === undefined
      ? { kind: 'unanswered', call, reason: error.message, wasSent: error.wasSent }
      : {
          kind: 'refused',
          call,
          status: 429,
          code: 0,
          description: error.message,
          retryAfterMs: error.retryAfterMs,
        };
  }
  if (error instanceof DiscordAPIError) {
    const { status, code, message } = error;
    return { kind: 'refused', call, status, code: Number(code) || 0, description: message };
  }
  if (error instanceof HTTPError)
    return { kind: 'refused', call, status: error.status, code: 0, description: `HTTP ${error.status}` };
  throw error;
};

export interface ClientOptions {
  readonly token: string;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  readonly clock: Clock;
}

/** The interaction and webhook tokens in a path are secrets for a quarter of an hour. */
const nameOfCall = ({ verb, path }: CallRequest): string =>
  `${verb} ${path.replace(/^(\/(?:interactions|webhooks)\/\d+\/)[^/]+/u, '$1…')}`;

export const createClient = ({ token, apiRoot, clock }: ClientOptions): DiscordClient => {
  const transport = createHttpTransport({ clock });
  const rest = new REST(restOptions(apiRoot, transport));

  const call: DiscordClient['call'] = (request, { signal, limitMs = CALL_LIMIT_MS }) =>
    withTimeLimit({ clock, limitMs, signal }, async (inner) => {
      const { verb, path, query, body, files, isOpen } = request;
      // The SDK forgets a token that was refused once; that is for us to decide.
      rest.setToken(token);
      try {
        const value = await rest.request({
          method: verb as never,
          fullRoute: path,
          auth: isOpen !== true,
          signal: inner,
          ...(query !== undefined && { query: new URLSearchParams(query) }),
          ...(files === undefined || files.length === 0
            ? { body }
            : { body: toForm(body, files), passThroughBody: true }),
        });
        return { ok: true, value };
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, failure: toFailure(nameOfCall(request), error) };
      }
    });

  return {
    call,
    download: (url, { signal, limitMs = CALL_LIMIT_MS }) =>
      withTimeLimit({ clock, limitMs, signal }, (begin) => transport.download(url, { begin, signal })),
    connect: async (listener) => {
      const client = new Client({
        intents: [
          GatewayIntentBits.Guilds,
          GatewayIntentBits.GuildMessages,
          GatewayIntentBits.DirectMessages,
          GatewayIntentBits.MessageContent,
        ],
        rest: restOptions(apiRoot, transport),
        ws: { buildIdentifyThrottler: async () => createIdentifyThrottle(clock) },
        // Messages are read from the dispatches themselves; keeping them would only cost memory.
        makeCache: Options.cacheWithLimits({
          ...Options.DefaultMakeCacheSettings,
          MessageManager: 0,
          ReactionManager: 0,
        }),
      });
      const heard = listen(client, listener);
      const close = async (): Promise<void> => {
        client.removeAllListeners();
        // A cut socket may still report an error, and an error without a listener ends the process.
        client.on(Events.Error, () => undefined);
        await client.destroy();
      };
      try {
        await client.login(token);
      } catch (error) {
        await close();
        throw toLoginFailure(error);
      }
      return { heardAt: heard, close };
    },
  };
};

/** Many bots lose their sessions at the same moment; the first login alone does not wait. */
const createIdentifyThrottle = (clock: Clock) => {
  let isFirst = true;
  return {
    waitForIdentify: async (_shard: number, signal: AbortSignal): Promise<void> => {
      if (!isFirst) await clock.sleep(REIDENTIFY_MS * (1 + 4 * Math.random()), { signal });
      isFirst = false;
    },
  };
};

/** Gives when the server was last heard. */
const listen = (client: Client, listener: ConnectionListener): (() => number) => {
  let dispatchedAt = 0;
  client.on(Events.Raw, (packet: { readonly t: string; readonly d: unknown }) => {
    dispatchedAt = Date.now();
    listener.dispatch(packet.t, packet.d);
    if (packet.t === 'READY') listener.news({ kind: 'ready' });
    if (packet.t === 'RESUMED') listener.news({ kind: 'resumed' });
  });
  client.on(Events.ShardReconnecting, () => listener.news({ kind: 'lost' }));
  client.on(Events.ShardDisconnect, ({ code }) => listener.news({ kind: 'ended', code }));
  // What is wrong is told by the events above; without a listener an error would end the process.
  client.on(Events.ShardError, () => undefined);
  client.on(Events.Error, () => undefined);
  return () => {
    const shard = client.ws.shards.first();
    const answeredAt = shard === undefined || shard.ping < 0 ? 0 : shard.lastPingTimestamp + shard.ping;
    return Math.max(dispatchedAt, answeredAt);
  };
};

/** Multipart as Discord wants it: the message as JSON, each file under its number. */
const toForm = (body: unknown, files: NonNullable<CallRequest['files']>): FormData => {
  const form = new FormData();
  form.append('payload_json', JSON.stringify(body));
  for (const [index, { name, bytes }] of files.entries()) form.append(`files[${index}]`, bytes, name);
  return form;
};
