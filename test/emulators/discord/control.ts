/** The typed client for tests. */
import type {
  CallRecord,
  ChannelSpec,
  FaultSpec,
  GuildSpec,
  InteractionSpec,
  SayOptions,
  SeenMessage,
  UserSpec,
  WaitCondition,
  WorldSpec,
  WorldState,
} from './protocol.js';

export type * from './protocol.js';

export interface Said {
  readonly messageId: string;
  readonly channelId: string;
  /** Epoch ms with fractions. */
  readonly dispatchedAt: number;
}

export interface DiscordControl {
  readonly token: string;
  /** For `platforms.discord.api_root`. */
  readonly apiRoot: string;
  /** Begins anew: everything of an earlier world with this token is gone and its connections are cut. */
  reset(spec?: WorldSpec): Promise<WorldState>;
  remove(): Promise<void>;
  state(): Promise<WorldState>;
  setUser(spec: UserSpec): Promise<void>;
  setGuild(spec: GuildSpec): Promise<void>;
  setChannel(spec: ChannelSpec & { readonly guildId?: string; readonly announce?: boolean }): Promise<void>;
  /** A person writes to the bot in private. */
  sayDirect(userId: string, text: string, options?: SayOptions): Promise<Said>;
  say(userId: string, channelId: string, text: string, options?: SayOptions): Promise<Said>;
  /** At once, in private unless a channel is named. */
  sayAll(
    list: readonly (SayOptions & {
      readonly userId: string;
      readonly text: string;
      readonly channelId?: string;
    })[],
  ): Promise<readonly Said[]>;
  edit(messageId: string, text: string): Promise<void>;
  /** The same MESSAGE_CREATE once more. */
  redeliver(messageId: string): Promise<void>;
  dispatch(t: string, d: unknown): Promise<void>;
  interact(spec: InteractionSpec): Promise<{ readonly interactionId: string }>;
  /** Three seconds have passed without an answer: callbacks get 10062. */
  expire(interactionId: string): Promise<void>;
  interaction(
    id: string,
  ): Promise<{ readonly answered?: number; readonly originalId?: string; readonly isEphemeral?: boolean }>;
  /** The id of the direct channel with a person. */
  directChannel(userId: string): Promise<string>;
  channels(): Promise<
    readonly {
      readonly id: string;
      readonly name: string;
      readonly type: number;
      readonly parent_id?: string;
    }[]
  >;
  /** Deleted ones are left out unless asked for. */
  messages(channelId: string, options?: { readonly deleted?: boolean }): Promise<readonly SeenMessage[]>;
  /** What the bot wrote in a channel and still stands there. */
  botTexts(channelId: string): Promise<readonly string[]>;
  /** By a regular expression for `VERB /path`; default all. */
  calls(call?: string): Promise<readonly CallRecord[]>;
  clearCalls(): Promise<void>;
  fault(spec: FaultSpec): Promise<void>;
  removeFaults(): Promise<void>;
  release(): Promise<void>;
  /** A new period of the rate limit. */
  tick(): Promise<void>;
  /** Closes the gateway connection; 1005 and 1006 cut it. */
  closeGateway(code: number): Promise<void>;
  /** Op 7. */
  askToReconnect(): Promise<void>;
  /** The next resume (or, with `now`, the running connection) is answered op 9. */
  invalidate(options: { readonly resumable: boolean; readonly now?: boolean }): Promise<void>;
  /** These sequence numbers come twice at the next resume. */
  replayTwice(seqs: readonly number[]): Promise<void>;
  /** Heartbeats stay unanswered. */
  silence(on: boolean): Promise<void>;
  refuseConnections(on: boolean): Promise<void>;
  revokeToken(): Promise<void>;
  wait(condition: WaitCondition, options?: { readonly timeoutMs?: number }): Promise<void>;
  waitForReady(): Promise<void>;
  /** Waits until what stands in the channel satisfies the predicate, and gives it. */
  waitForChannel(
    channelId: string,
    predicate: (messages: readonly SeenMessage[]) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<readonly SeenMessage[]>;
  waitForMessage(
    channelId: string,
    contains: string,
    options?: { readonly timeoutMs?: number },
  ): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10_000;

export function createDiscordControl(baseUrl: string, token: string): DiscordControl {
  const call = async <Result>(verb: string, body: unknown = {}): Promise<Result> => {
    const response = await fetch(`${baseUrl}/control/${encodeURIComponent(token)}/${verb}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    // The emulator is our own and answers what protocol.ts says.
    const answer = (await response.json()) as Result & { readonly error?: string };
    if (!response.ok) throw new Error(`${verb}: ${answer.error}`);
    return answer;
  };
  const tell = async (verb: string, body: unknown = {}): Promise<void> => {
    await call(verb, body);
  };
  const readChannel = (
    channelId: string,
  ): Promise<{ readonly messages: readonly SeenMessage[]; readonly version: number }> =>
    call('messages', { channelId });
  const messages = async (channelId: string): Promise<readonly SeenMessage[]> =>
    (await readChannel(channelId)).messages;
  const calls = async (pattern = ''): Promise<readonly CallRecord[]> =>
    (await call<{ calls: readonly CallRecord[] }>('calls', { call: pattern })).calls;
  const wait = async (
    condition: WaitCondition,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<void> => {
    const { met } = await call<{ met: boolean }>('wait', { ...condition, ...options });
    if (met) return;
    const last = (await calls()).slice(-12).map((record) => `${record.call} ${record.status ?? 'pending'}`);
    throw new Error(
      `waited in vain for ${JSON.stringify(condition)}; last calls: ${last.join(', ') || 'none'}`,
    );
  };
  return {
    token,
    apiRoot: `${baseUrl}/api`,
    reset: (spec = {}) => call('reset', spec),
    remove: () => tell('remove'),
    state: () => call('state'),
    setUser: (spec) => tell('user', spec),
    setGuild: (spec) => tell('guild', spec),
    setChannel: (spec) => tell('channel', spec),
    sayDirect: (userId, text, options = {}) => call('say', { userId, text, ...options }),
    say: (userId, channelId, text, options = {}) => call('say', { userId, channelId, text, ...options }),
    sayAll: async (list) => (await call<{ said: readonly Said[] }>('say-all', { list })).said,
    edit: (messageId, text) => tell('edit', { messageId, text }),
    redeliver: (messageId) => tell('redeliver', { messageId }),
    dispatch: (t, d) => tell('dispatch', { t, d }),
    interact: (spec) => call('interact', spec),
    expire: (interactionId) => tell('expire', { interactionId }),
    interaction: (interactionId) => call('interaction', { interactionId }),
    directChannel: async (userId) => (await call<{ channelId: string }>('direct', { userId })).channelId,
    channels: async () => (await call<{ channels: never }>('channels')).channels,
    messages: async (channelId, options = {}) =>
      (await messages(channelId)).filter(({ deleted }) => options.deleted === true || !deleted),
    botTexts: async (channelId) =>
      (await messages(channelId))
        .filter(({ byBot, deleted }) => byBot && !deleted)
        .map(({ content }) => content),
    calls,
    clearCalls: () => tell('clear-calls'),
    fault: (spec) => tell('fault', spec),
    removeFaults: () => tell('remove-faults'),
    release: () => tell('release'),
    tick: () => tell('tick'),
    closeGateway: (code) => tell('close', { code }),
    askToReconnect: () => tell('reconnect'),
    invalidate: (options) => tell('invalidate', options),
    replayTwice: (seqs) => tell('twice', { seqs }),
    silence: (on) => tell('silence', { on }),
    refuseConnections: (on) => tell('refuse', { on }),
    revokeToken: () => tell('revoke'),
    wait,
    waitForChannel: async (channelId, predicate, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) => {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const { messages: all, version } = await readChannel(channelId);
        const visible = all.filter(({ deleted }) => !deleted);
        if (predicate(visible)) return visible;
        const left = Math.max(1, Math.ceil(deadline - performance.now()));
        await wait({ kind: 'channel-changed', channelId, after: version }, { timeoutMs: left });
      }
    },
    waitForReady: () => wait({ kind: 'ready' }),
    waitForMessage: (channelId, contains, options) => wait({ kind: 'message', channelId, contains }, options),
  };
}
