import type { ChatId, ThreadId } from '../core/ids.js';
import type { PlatformAdapter } from '../core/platform.js';
import type { GatewayServices } from '../core/services.js';

export type BusyPolicy = 'steer' | 'queue' | 'interrupt';

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
  readonly requireMention: boolean;
  readonly busy: BusyPolicy;
  readonly streaming: boolean;
  /** As typed in the settings; resolved when it is used. */
  readonly homeChannel?: string;
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

export interface GatewaySettings {
  readonly version: string;
  readonly platforms: readonly GatewayPlatform[];
  /** Allowed on every platform: ids, `platform:id`, or `*`. */
  readonly allowedUsers: readonly string[];
  /** `platform:id`. Empty: every explicitly listed allowed user. */
  readonly owners: readonly string[];
  /** What a stranger hears in a private chat: a code to be let in by, or nothing. */
  readonly strangers: 'pair' | 'ignore';
  readonly pairing: PairingSettings;
  readonly groupPerUser: boolean;
  readonly threadPerUser: boolean;
  readonly model: { readonly provider: string; readonly name: string; readonly isDemo: boolean };
  readonly maxSteps: number;
  readonly contextTokens: number;
  /** What all kept files together may take up. */
  readonly mediaCacheBytes: number;
}
