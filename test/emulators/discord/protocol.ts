/** What the control endpoint takes and gives. Ids are snowflakes as decimal strings. */

export interface UserSpec {
  readonly id: string;
  readonly username?: string;
  readonly global_name?: string;
  readonly bot?: boolean;
}

/** Discord's channel types: 0 text, 1 direct, 5 announcements, 11 public thread, 12 private thread, 15 forum. */
export interface ChannelSpec {
  readonly id: string;
  readonly name?: string;
  readonly type?: number;
  readonly parent_id?: string;
  /** What the bot may do there. Default `member`. `unseen`: it cannot see the channel; `read-only`: it cannot post. */
  readonly standing?: Standing;
}

export type Standing = 'member' | 'read-only' | 'unseen' | 'blocked';

export interface GuildSpec {
  readonly id: string;
  readonly name?: string;
  readonly channels?: readonly ChannelSpec[];
  readonly roles?: readonly { readonly id: string; readonly name: string }[];
  /** Roles of its members by user id. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
}

export interface WorldSpec {
  readonly bot?: Partial<UserSpec>;
  readonly users?: readonly UserSpec[];
  readonly guilds?: readonly GuildSpec[];
  /** Privileged intents that the developer portal grants. Default: all. */
  readonly privilegedIntents?: readonly ('message-content' | 'members' | 'presences')[];
  /** Default 41,250, as Discord's. */
  readonly heartbeatIntervalMs?: number;
  /** How many calls of one route and channel pass until the next `tick`. Default: no limit. */
  readonly rateLimit?: { readonly limit: number; readonly resetAfterSeconds: number };
  /** Largest attachment of the bot. Default 10 MiB. */
  readonly maxFileBytes?: number;
  /** How many slash commands an application may have. Default 100. */
  readonly maxCommands?: number;
}

export interface SayOptions {
  readonly type?: number;
  readonly replyTo?: string;
  readonly embeds?: readonly Readonly<Record<string, unknown>>[];
  readonly files?: readonly FileSpec[];
  readonly webhookId?: string;
  /** 8192: a voice message. Default 0. */
  readonly flags?: number;
  /** Epoch ms. Default: now. */
  readonly sentAt?: number;
  /** False: nothing is dispatched, as if it were written while nobody listened and the session is lost. */
  readonly dispatch?: boolean;
  /** The message snapshots that a forward carries. */
  readonly forwarded?: string;
  readonly stickers?: readonly string[];
}

export interface FileSpec {
  readonly name: string;
  readonly contentBase64?: string;
  /** What Discord says of it; the real size by default. */
  readonly size?: number;
  readonly contentType?: string;
}

/** A message as a person in the channel sees it. */
export interface SeenMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly byBot: boolean;
  readonly content: string;
  readonly attachments: readonly SeenAttachment[];
  readonly components: readonly unknown[];
  readonly embeds: readonly unknown[];
  readonly flags: number;
  readonly replyTo?: string;
  readonly allowedMentions?: unknown;
  readonly reactions: readonly string[];
  readonly deleted: boolean;
  readonly edits: number;
  /** Shown to one person only. */
  readonly ephemeral: boolean;
}

export interface SeenAttachment {
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly contentBase64: string;
  readonly durationSeconds?: number;
  readonly waveform?: string;
}

export interface CallRecord {
  readonly id: number;
  /** As in `POST /channels/7/messages`. */
  readonly call: string;
  readonly body: unknown;
  readonly receivedAt: number;
  status?: number;
  applied: boolean;
}

export type FaultAction =
  /** Answered with this; never carried out. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is cut, after or before the call is carried out. */
  | { readonly kind: 'cut'; readonly applied: boolean }
  /** Not answered until it is released; carried out at once or never. */
  | { readonly kind: 'hold'; readonly applied: boolean };

export interface FaultSpec {
  /** A regular expression for `VERB /path`. */
  readonly call: string;
  readonly contains?: string;
  readonly nth?: number;
  readonly times?: number | 'always';
  readonly action: FaultAction;
}

export type InteractionSpec = {
  readonly userId: string;
  readonly channelId: string;
} & (
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly options?: readonly { readonly name: string; readonly value: string }[];
    }
  | { readonly kind: 'button'; readonly messageId: string; readonly customId: string }
  | {
      readonly kind: 'select';
      readonly messageId: string;
      readonly customId: string;
      readonly values: readonly string[];
    }
);

export type WaitCondition =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sessions'; readonly count: number }
  | {
      readonly kind: 'message';
      readonly channelId: string;
      readonly contains?: string;
      readonly equals?: string;
    }
  | { readonly kind: 'bot-messages'; readonly channelId: string; readonly count: number }
  /** `status`: only those answered so. */
  | { readonly kind: 'calls'; readonly call: string; readonly count: number; readonly status?: number }
  /** Something in the channel is other than at this version. */
  | { readonly kind: 'channel-changed'; readonly channelId: string; readonly after: number }
  | { readonly kind: 'held'; readonly count: number }
  | { readonly kind: 'acknowledged'; readonly interactionId: string };

export interface WorldState {
  readonly botId: string;
  readonly sessions: number;
  readonly connections: number;
  readonly identifies: number;
  /** When a connection was last told READY, epoch ms with fractions. */
  readonly readyAt?: number;
  readonly resumes: readonly {
    readonly sessionId: string;
    readonly seq: number;
    readonly accepted: boolean;
  }[];
  readonly heartbeats: number;
  readonly lastSequence: number;
  readonly commands: readonly unknown[];
  readonly commandDeployments: number;
}
