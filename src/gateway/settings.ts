import type { ChatId, ThreadId } from '../core/ids.js';
import type { PermissionSettings } from '../core/permission-settings.js';
import type { PlatformAdapter } from '../core/platform.js';
import type { GatewayServices } from '../core/services.js';
import type { InactivityLimit } from '../core/turn.js';

import type { ToolProgressMode } from './outbound/tool-progress.js';

export const busyPolicies = ['steer', 'queue', 'interrupt'] as const;
export type BusyPolicy = (typeof busyPolicies)[number];

export interface TurnChoices {
  readonly model?: string;
  readonly maxSteps?: number;
  /** Absolute; the folder in which tools work, and whose instructions hold. */
  readonly workspace?: string;
}

/** What the gateway needs to know about one platform, besides its adapter. */
export interface GatewayPlatform {
  readonly id: string;
  readonly title: string;
  /** Loads the SDK; a rejection takes this platform alone out of service. */
  create(services: GatewayServices): Promise<PlatformAdapter>;
  /** Users that the platform itself vouches for as owners. */
  readonly owners: readonly string[];
  readonly allowedUsers: readonly string[];
  readonly allowedChats: readonly string[];
  /** Groups that the platform keeps itself: whoever it counts among one of them may write. */
  readonly allowedRoles: readonly string[];
  readonly requireMention: boolean;
  readonly busy: BusyPolicy;
  readonly streaming: boolean;
  /** Whether messages are acknowledged by reactions. */
  readonly reactions: boolean;
  readonly toolProgress: ToolProgressMode;
  /** As typed in the settings; resolved when it is used. */
  readonly homeChannel?: string;
  /** Environment variables by the key of the platform's section that they set. */
  readonly variables: Readonly<Record<string, string>>;
  /** No people are there: it is no target, and none of its chats is remembered. Default false. */
  readonly isUnattended?: boolean;
  /** What a chat's turns have in place of what the settings say. */
  turnFor?(chat: ChatId): TurnChoices;
  /** Id and name of the job whose run the chat is, if it is one. */
  jobNames?(chat: ChatId): readonly string[];
  /** Times that an interrupted turn of the chat is begun. */
  maxAttempts?(chat: ChatId): number;
  /** In place of the agent's own. */
  readonly inactivity?: InactivityLimit;
  parseAddress(name: string): { readonly chat: ChatId; readonly thread?: ThreadId } | undefined;
}

/** See `hermes pairing`. */
export interface PairingSettings {
  readonly codeTtlMs: number;
  /** Most valid codes of one platform at a time. */
  readonly maxPending: number;
  /** Wrong codes of one platform until none is accepted for `lockoutMs`. */
  readonly maxAttempts: number;
  readonly lockoutMs: number;
}

/** How long and how much is kept. */
export interface RetentionSettings {
  /** Conversations unused for longer go, and what was said longer ago. */
  readonly maxAgeMs: number;
  /** What the database may take up, and the same for all kept files together. */
  readonly maxBytes: number;
}

export interface GatewaySettings {
  readonly version: string;
  /** IANA name of the zone on whose clocks times are told; absent: the host's. */
  readonly timezone?: string;
  readonly platforms: readonly GatewayPlatform[];
  /** Platforms that are off, with sentences about how to switch them on. */
  readonly offPlatforms: readonly { readonly id: string; readonly title: string; readonly advice: string }[];
  /** Allowed on every platform: ids, `platform:id`, or `*`. */
  readonly allowedUsers: readonly string[];
  /** `platform:id`. Empty: every explicitly listed allowed user. */
  readonly owners: readonly string[];
  /** What a stranger hears in a private chat: a code to be let in by, or nothing. */
  readonly strangers: 'pair' | 'ignore';
  readonly pairing: PairingSettings;
  readonly groupPerUser: boolean;
  readonly threadPerUser: boolean;
  readonly model: {
    readonly provider: string;
    readonly name: string;
    readonly isDemo: boolean;
    /** As it may be shown. */
    readonly address?: string;
  };
  readonly maxSteps: number;
  readonly contextTokens: number;
  readonly retention: RetentionSettings;
  readonly permissions: PermissionSettings;
}
