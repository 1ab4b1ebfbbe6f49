import type { CommandSettings } from '../core/commands.js';
import { defaultMatrix, withMatrixChanges } from '../core/permission.js';
import type { PermissionSettings } from '../core/permission-settings.js';
import type { PlatformDefinition, PlatformSection } from '../core/platform-definition.js';
import type { ToolsetChoice } from '../core/toolsets.js';
import type { VoiceSettings } from '../core/voice-settings.js';
import { expandPath, type HomePaths } from './home-paths.js';
import type { ModelSettings } from './resolve-model.js';
import { resolveVoice } from './resolve-voice.js';
import type { SettingsFile } from './schema.js';
import { resolveTerminal } from './terminal-section.js';

export interface PlatformSettings {
  readonly definition: PlatformDefinition;
  /** Parsed by the definition's own schema. */
  readonly section: PlatformSection;
  readonly isEnabled: boolean;
}

/** Everything the gateway is told, checked and with every default filled in. */
export interface Settings {
  readonly paths: HomePaths;
  readonly model: ModelSettings;
  /** Who answers, in this order, when the model cannot. */
  readonly fallbacks: readonly ModelSettings[];
  /** IANA name. Absent: the host's zone (asking for it costs a start 15 ms, so only who needs it asks). */
  readonly timezone?: string;
  /** Absolute path of the folder that file tools work in. */
  readonly workspace: string;
  /** `platform:id`. Empty: every explicitly listed allowed user. */
  readonly owners: readonly string[];
  /** Allowed on every platform: ids, `platform:id`, or `*`. */
  readonly allowedUsers: readonly string[];
  /** What a stranger hears in a private chat: a pairing code, or nothing. */
  readonly strangers: 'pair' | 'ignore';
  readonly pairing: {
    readonly codeTtlMs: number;
    readonly maxPending: number;
    readonly maxAttempts: number;
    readonly lockoutMs: number;
  };
  readonly permissions: PermissionSettings;
  readonly agent: {
    readonly maxIterations: number;
    readonly contextTokens: number;
    readonly inactivityTimeoutMs: number;
  };
  readonly commands: CommandSettings;
  readonly toolsets: ToolsetChoice;
  readonly sessions: {
    readonly groupPerUser: boolean;
    readonly threadPerUser: boolean;
    readonly retentionDays: number;
    readonly retentionMb: number;
  };
  readonly cron: {
    readonly tickMs: number;
    readonly scriptTimeoutMs: number;
    readonly maxParallel: number;
    readonly isCatchingUp: boolean;
    /** 0: none. */
    readonly inactivityTimeoutMs: number;
  };
  readonly voice: VoiceSettings;
  /** Every platform there is, in the order of the registration list, also those that are off. */
  readonly platforms: readonly PlatformSettings[];
  /** Absolute paths of further folders from which files may be sent. */
  readonly mediaAllowDirs: readonly string[];
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Every secret value, to be removed from whatever is written anywhere. */
  readonly secrets: readonly string[];
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** Sentences about what is odd but does no harm; free of secrets. */
  readonly warnings: readonly string[];
  /** The settings in config.yaml's own shape, with every default, and stars for secrets. */
  readonly shown: unknown;
}

interface Sources {
  readonly paths: HomePaths;
  readonly model: ModelSettings;
  readonly fallbacks: readonly ModelSettings[];
  readonly definitions: readonly PlatformDefinition[];
  readonly mediaAllowDirs: string | undefined;
  /** PATH. */
  readonly searchPath: string | undefined;
  readonly secrets: readonly string[];
}

const toPlatform = (
  definition: PlatformDefinition,
  sections: SettingsFile['platforms'],
): PlatformSettings => {
  // The definition's own schema, which is part of the file's schema, made it.
  const section = sections[definition.id] as PlatformSection;
  return { definition, section, isEnabled: definition.isEnabled(section) };
};

export const toSettings = (file: SettingsFile, sources: Sources): Settings => {
  const { paths, model, fallbacks, definitions, mediaAllowDirs = '', searchPath, secrets } = sources;
  return {
    paths,
    model,
    fallbacks,
    ...(file.timezone !== undefined && { timezone: file.timezone }),
    workspace: expandPath(file.workspace ?? 'workspace', paths.home),
    owners: file.owners,
    allowedUsers: file.allowed_users,
    strangers: file.unauthorized_dm,
    pairing: {
      codeTtlMs: file.pairing.code_ttl_minutes * 60_000,
      maxPending: file.pairing.max_pending,
      maxAttempts: file.pairing.max_attempts,
      lockoutMs: file.pairing.lockout_minutes * 60_000,
    },
    permissions: {
      level: file.permissions.level,
      matrix: withMatrixChanges(defaultMatrix, file.permissions.matrix ?? {}),
      timeoutMs: file.permissions.timeout_seconds * 1000,
      platforms: file.permissions.platforms,
      roles: file.permissions.roles,
      chats: file.permissions.chats,
      jobs: file.permissions.jobs,
    },
    agent: {
      maxIterations: file.agent.max_iterations,
      contextTokens: file.agent.context_tokens,
      inactivityTimeoutMs: file.agent.inactivity_timeout_seconds * 1000,
    },
    commands: resolveTerminal(file.terminal, paths.home),
    toolsets: {
      everywhere: file.toolsets,
      custom: Object.entries(file.custom_toolsets).map(([name, toolset]) => ({ name, ...toolset })),
    },
    sessions: {
      groupPerUser: file.sessions.group_per_user,
      threadPerUser: file.sessions.thread_per_user,
      retentionDays: file.sessions.retention_days,
      retentionMb: file.sessions.retention_mb,
    },
    cron: {
      tickMs: file.cron.tick_seconds * 1000,
      scriptTimeoutMs: file.cron.script_timeout_seconds * 1000,
      maxParallel: file.cron.max_parallel,
      isCatchingUp: file.cron.catch_up_missed,
      inactivityTimeoutMs: file.cron.inactivity_timeout_seconds * 1000,
    },
    voice: resolveVoice(file, { home: paths.home, searchPath }),
    platforms: definitions.map((definition) => toPlatform(definition, file.platforms)),
    mediaAllowDirs: mediaAllowDirs
      .split(':')
      .filter((path) => path !== '')
      .map((path) => expandPath(path, paths.home)),
    logLevel: file.log.level,
    secrets,
  };
};
