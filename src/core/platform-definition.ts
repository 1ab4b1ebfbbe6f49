import type { z } from 'zod';
import type { Clock } from './clock.js';
import type { ChatId, IdSource, PlatformId, ThreadId } from './ids.js';
import type { Logger } from './logger.js';
import type { MediaStore } from './media.js';
import type { NoteStore } from './notes.js';
import type { PageLogStore } from './page-log.js';
import type { PlatformAdapter } from './platform.js';
import type { GatewayServices } from './services.js';

/** What app.ts hands to a platform. */
export interface AdapterPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Removes every configured secret from a text. */
  readonly redact: (text: string) => string;
  readonly services: GatewayServices;
  readonly pageLog: PageLogStore;
  readonly notes: NoteStore;
  readonly media: Pick<MediaStore, 'keep' | 'open'>;
  /** For files of its own below the home; absolute, and perhaps not there yet. */
  readonly folder: string;
}

/** Who may write, as far as a platform's own settings say it; ids as the platform's users know them. */
export interface PlatformAccess {
  readonly users: readonly string[];
  /** Users who own the gateway by being able to write at all; absent: none. */
  readonly owners?: readonly string[];
  readonly chats: readonly string[];
  /** Groups of people that the platform itself keeps, such as roles of a server. Absent: none. */
  readonly roles?: readonly string[];
}

/** What holds where a platform's section does not say. */
export const sectionDefaults = {
  busy: 'steer',
  streaming: true,
  reactions: false,
  toolProgress: 'new',
  requireMention: true,
} as const;

/** The settings every platform has besides its own; a platform's section extends this shape. */
export interface PlatformSection {
  /** Absent: on if the platform's credentials are set. */
  readonly enabled?: boolean | undefined;
  readonly home_channel?: string | undefined;
  readonly busy?: 'steer' | 'queue' | 'interrupt' | undefined;
  readonly streaming?: boolean | undefined;
  /** Acknowledge messages by reactions. */
  readonly reactions?: boolean | undefined;
  readonly tool_progress?: 'off' | 'new' | 'all' | undefined;
  /** In groups, answer only when addressed. */
  readonly require_mention?: boolean | undefined;
  /** The toolsets of conversations here. Absent: those of all platforms. */
  readonly toolsets?: readonly string[] | undefined;
}

/** A look at what is on the far side, without receiving anything. */
export interface PlatformProbe<Section> {
  /** Where the platform is asked: the root of its API. */
  address(section: Section): string;
  /**
   * Whom the credentials belong to, as people on the platform know it, e.g. `@my_bot`. Loads the SDK and calls. Rejects
   * with a PlatformError, a ConfigError or the signal's reason.
   */
  identify(
    section: Section,
    ports: Pick<AdapterPorts, 'clock'>,
    options: { readonly signal: AbortSignal },
  ): Promise<string>;
}

/** A place of this host where others connect. */
export interface ListeningPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The key of the section that says the port, dotted. */
  readonly setting: string;
}

/**
 * Everything the rest of the gateway needs to know about a platform without loading its SDK: the one export of a
 * platform folder. `Section` is its settings after parsing.
 */
export interface PlatformDefinition<Section extends PlatformSection = PlatformSection> {
  readonly id: PlatformId;
  readonly title: string;
  readonly section: z.ZodType<Section>;
  /** Environment variables and the keys of the section that they set, e.g. `{MATRIX_TOKEN: 'token'}`. */
  readonly environment: Readonly<Record<string, keyof Section & string>>;
  /** Keys of the section whose values must never be shown. */
  readonly secretKeys: readonly (keyof Section & string)[];
  isEnabled(section: Section): boolean;
  access(section: Section): PlatformAccess;
  /** Reads `id` or `id:thread` as typed in a target; undefined if it is not an id of this platform. */
  parseAddress(name: string): { readonly chat: ChatId; readonly thread?: ThreadId } | undefined;
  /** How to get credentials, as lines for the terminal of somebody who has none. */
  readonly connectHint: string;
  /** Absent: there are no credentials that could be tried. */
  readonly probe?: PlatformProbe<Section>;
  /** Absent or undefined: it listens nowhere. */
  listensAt?(section: Section): ListeningPlace | undefined;
  /** Imports the SDK. Rejects with a PlatformError or ConfigError; must not touch the network. */
  create(section: Section, ports: AdapterPorts): Promise<PlatformAdapter>;
}
