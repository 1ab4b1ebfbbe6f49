/**
 * The composition root: every room is built here from the settings and introduced to the others. Nothing here decides
 * anything; whoever looks for how the parts hang together finds all of it in this file.
 */
import { join } from 'node:path';
import {
  createShownLog,
  createWebFace,
  type Listener,
  type WebFace,
  type WebSection,
} from './adapters/web/index.js';
import {
  createAgent,
  createProvider,
  createToolRegistry,
  type WarmProvider,
  withFallback,
} from './agent/index.js';
import type { PlatformSettings, Settings } from './config/index.js';
import type { ApprovalService } from './core/approval.js';
import type { Clock } from './core/clock.js';
import { type IdSource, type PlatformId, toPlatformId } from './core/ids.js';
import type { Logger } from './core/logger.js';
import type { MediaStore } from './core/media.js';
import type { PlatformAdapter } from './core/platform.js';
import { type AdapterPorts, sectionDefaults } from './core/platform-definition.js';
import type { GatewayServices } from './core/services.js';
import { toShownAddress } from './core/setting-words.js';
import type { SkillLibrary } from './core/skill.js';
import type { Stores } from './core/stores.js';
import type { ToolServices } from './core/tool.js';
import { chosenToolsets, withCustomToolsets } from './core/toolsets.js';
import { type Cron, createCron } from './cron/index.js';
import { createGateway, type Gateway, type GatewayPlatform, type GatewaySettings } from './gateway/index.js';
import {
  createCommandService,
  createGuardedFetch,
  createImageLoader,
  createMediaStore,
  createProcessPort,
  createSpillFiles,
  type HostCommands,
  readInstructions,
} from './host/index.js';
import { toModelAccess } from './model-access.js';
import { openStores } from './open-stores.js';
import { toToolGround, toToolServices, toVoice } from './tool-services.js';
import { demoCalls, tools } from './tools/index.js';
import { toolsets } from './tools/toolsets.js';

export interface DaemonOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Removes every configured secret from a text. */
  readonly redact: (text: string) => string;
  readonly version: string;
  readonly pid: number;
  /** The settings as they are now, for what begins later; undefined while they cannot be used. Default: those above. */
  readonly readSettings?: () => Promise<Settings | undefined>;
  /** The clock is the host's own, so that what rings by the host's time may ring. Default false. */
  readonly isWallClock?: boolean;
  /** Says in another process's error what holds the home, e.g. `gateway`. */
  readonly role?: string;
}

export interface Daemon {
  readonly services: GatewayServices;
  /** Makes the services usable without a start. */
  load(): Promise<void>;
  /** Takes up what an earlier life left, opens the control socket, receives. Resolves when receiving has begun. */
  start(): Promise<void>;
  /** Delivers without receiving. */
  startSending(): Promise<void>;
  /** Delivers and runs jobs that are asked for, without receiving. */
  startJobs(): Promise<void>;
  /** Drains, closes the stores and gives the home free. Never rejects. */
  stop(): Promise<void>;
  /** Where browsers find the chat page; undefined while they cannot. */
  pageUrl(): string | undefined;
}

/** Takes the home and opens its database. Rejects with a StoreError, e.g. `locked` beside another gateway. */
export const createDaemon = async (options: DaemonOptions): Promise<Daemon> => {
  const { settings, clock, logger } = options;
  const { home, socket } = settings.paths;
  const { lock, stores } = await openStores(options);
  const provider = toProvider(options);
  const media = createMediaStore({
    home,
    workspace: settings.workspace,
    allowDirs: settings.mediaAllowDirs,
    fetch: createGuardedFetch({ clock }),
  });
  const voice = toVoice(options, media);
  const faces = new Faces(options, stores, media);
  const ground = toToolGround(options);
  const { skills } = ground;
  const cron = toCron(options, stores, skills);
  let commands: HostCommands | undefined;
  const gateway: Gateway = createGateway({
    ...options,
    settings: toGatewaySettings(options, provider, faces, cron),
    stores,
    media,
    voice,
    shown: createShownLog(stores.pageLog),
    jobs: cron.jobs,
    skills,
    createAgent: ({ notices, ...services }, approvals) => {
      commands = createCommandService({ ...options, notices, workspace: ground.workPlace.folder });
      const parts = { ...ground, stores, media, voice };
      return toAgent(options, provider, parts, { ...services, commands, jobs: cron.jobs }, approvals);
    },
  });
  cron.connect(gateway.services);
  let listener: Listener | undefined;
  return {
    services: gateway.services,
    load: gateway.load,
    start: async () => {
      await gateway.start();
      await commands?.recover();
      listener = await (await faces.web(gateway.services)).listenOnSocket(socket);
      void warmUp(provider, logger);
    },
    startSending: gateway.startSending,
    startJobs: () => startJobs(cron, gateway),
    stop: async () => {
      await gateway.stop();
      await commands?.close();
      await listener?.close();
      await stores.close();
      await lock.release();
    },
    pageUrl: () => faces.pageUrl(),
  };
};

const startJobs = async (cron: Cron, gateway: Gateway): Promise<void> => {
  const ready = cron.runOnDemand();
  await gateway.startUnattended();
  await ready;
};

/** Loading the model's client takes longer than anything else; done before the first message needs it. */
const warmUp = async (provider: WarmProvider, logger: Logger): Promise<void> => {
  try {
    await provider.warmUp();
  } catch (error) {
    logger.error({ error }, 'model client cannot be loaded');
  }
};

const toProvider = (options: DaemonOptions): WarmProvider => {
  const { model, fallbacks } = options.settings;
  const standIns = fallbacks.map((one) => ({ provider: toLink(one, options), model: one.name }));
  return withFallback(toLink(model, options), standIns, options);
};

const toLink = (model: Settings['model'], options: DaemonOptions): WarmProvider => {
  const { settings, clock, ids, logger, redact } = options;
  const provider = createProvider(model.type, toModelAccess(model), {
    clock,
    ids,
    logger,
    redact,
    demoCalls,
    loadImage: createImageLoader(settings.paths.cache),
  });
  if (provider === undefined) throw new Error(`no provider is called ${model.type}`);
  return provider;
};

const toAgent = (
  options: DaemonOptions,
  provider: WarmProvider,
  parts: Parameters<typeof toToolServices>[1],
  services: Pick<ToolServices, 'messaging' | 'recall' | 'jobs' | 'commands'>,
  permissions: ApprovalService,
) => {
  const { settings } = options;
  const { workPlace, skills, memory } = parts;
  const documents = join(settings.paths.cache, 'documents');
  return createAgent({
    ...options,
    provider,
    workspace: settings.workspace,
    within: workPlace.within,
    inactivity: {
      timeoutMs: settings.agent.inactivityTimeoutMs,
      setting: 'agent.inactivity_timeout_seconds',
    },
    spill: {
      keep: createSpillFiles(documents),
      hints: {
        read_file: 'Read parts of it with read_file (offset and limit count lines).',
        search_files: 'Search it with search_files (path).',
      },
    },
    tools: createToolRegistry(tools),
    toolsOf: (platform) => toolsOf(platform, options),
    permissions,
    services: toToolServices(options, parts, services),
    prompt: {
      loadSoul: () => readInstructions(join(settings.paths.home, 'SOUL.md'), options.logger),
      loadInstructions: (folder = settings.paths.home) =>
        readInstructions(join(folder, 'AGENTS.md'), options.logger),
      loadMemory: (topic) =>
        memory.entries(topic).catch((error: unknown) => {
          options.logger.warn({ error, topic }, 'what was kept cannot be read and is left out');
          return [];
        }),
      loadSkills: async ({ platform, workspace }) => {
        const names = platform === undefined ? [] : await toolsOf(platform, options);
        return names.includes('skill_view') ? skills.list(workspace === undefined ? {} : { workspace }) : [];
      },
    },
  });
};

/** Settings that cannot be used now are as if nothing had changed. */
const toolsOf = async (platform: PlatformId, options: DaemonOptions): Promise<readonly string[]> => {
  const settings = (await options.readSettings?.()) ?? options.settings;
  const catalog = withCustomToolsets(toolsets, settings.toolsets.custom);
  const own = settings.platforms.find(({ definition }) => definition.id === platform)?.section.toolsets;
  const { everywhere } = settings.toolsets;
  return catalog.toolsOf(chosenToolsets(catalog, platform, { own, everywhere }));
};

/** The page's app is one whether browsers reach it, the control socket, or both. */
class Faces {
  readonly #options: DaemonOptions;
  readonly #stores: Stores;
  readonly #media: MediaStore;
  #web: Promise<WebFace> | undefined;
  #built: WebFace | undefined;

  constructor(options: DaemonOptions, stores: Stores, media: MediaStore) {
    this.#options = options;
    this.#stores = stores;
    this.#media = media;
  }

  web(services: GatewayServices): Promise<WebFace> {
    this.#web ??= this.#build(services);
    return this.#web;
  }

  pageUrl(): string | undefined {
    return this.#built?.url();
  }

  adapter({ definition, section }: PlatformSettings, services: GatewayServices): Promise<PlatformAdapter> {
    if (definition.id === 'web') return this.web(services).then(({ adapter }) => adapter);
    return definition.create(section, this.#ports(services, definition.id));
  }

  async #build(services: GatewayServices): Promise<WebFace> {
    const platform = this.#options.settings.platforms.find(({ definition }) => definition.id === 'web');
    // The registration list pairs the section with the web definition's own schema.
    const section = platform?.section as WebSection;
    this.#built = await createWebFace(section, this.#ports(services, toPlatformId('web')));
    return this.#built;
  }

  #ports(services: GatewayServices, platform: PlatformId): AdapterPorts {
    const { clock, ids, logger, redact, settings } = this.#options;
    const { pageLog, notes } = this.#stores;
    const own = { notes: notes(platform), media: this.#media, folder: join(settings.paths.home, platform) };
    return { clock, ids, logger, redact, services, pageLog, ...own };
  }
}

const toGatewaySettings = (
  { settings, version }: DaemonOptions,
  provider: WarmProvider,
  faces: Faces,
  cron: Cron,
): GatewaySettings => ({
  version,
  ...(settings.timezone !== undefined && { timezone: settings.timezone }),
  platforms: [
    ...settings.platforms
      .filter(({ isEnabled }) => isEnabled)
      .map((platform) => toGatewayPlatform(platform, faces)),
    toJobPlatform(cron),
  ],
  offPlatforms: settings.platforms.filter(({ isEnabled }) => !isEnabled).map(toOffPlatform),
  allowedUsers: settings.allowedUsers,
  owners: settings.owners,
  strangers: settings.strangers,
  pairing: settings.pairing,
  groupPerUser: settings.sessions.groupPerUser,
  threadPerUser: settings.sessions.threadPerUser,
  model: {
    provider: settings.model.provider,
    name: settings.model.name,
    isDemo: provider.isDemo,
    ...(settings.model.type !== 'offline' && { address: toShownAddress(settings.model.baseUrl) }),
  },
  maxSteps: settings.agent.maxIterations,
  contextTokens: settings.agent.contextTokens,
  permissions: settings.permissions,
  retention: {
    maxAgeMs: settings.sessions.retentionDays * 24 * 3_600_000,
    maxBytes: settings.sessions.retentionMb * 1_048_576,
  },
});

const toCron = (options: DaemonOptions, stores: Stores, skills: SkillLibrary): Cron => {
  const { settings, isWallClock = false } = options;
  return createCron({
    ...options,
    store: stores.jobs,
    skills,
    processes: createProcessPort(options),
    settings: settings.cron,
    timezone: settings.timezone,
    home: settings.paths.home,
    workspace: settings.workspace,
    isReal: isWallClock,
  });
};

/** Jobs come in as messages of a platform of their own, on which nobody else writes and nobody reads. */
const toJobPlatform = ({ platform }: Cron): GatewayPlatform => ({
  ...platform,
  isUnattended: true,
  owners: [],
  allowedUsers: ['*'],
  allowedChats: [],
  allowedRoles: [],
  requireMention: false,
  busy: 'queue',
  streaming: false,
  reactions: false,
  toolProgress: 'off',
  variables: {},
  parseAddress: () => undefined,
});

const toOffPlatform = ({ definition, section }: PlatformSettings) => {
  const { id, title, connectHint } = definition;
  const advice =
    section.enabled === false
      ? `Remove \`enabled: false\` from platforms.${id} and start again.`
      : connectHint.replace(`${title}: `, '').replaceAll('\n', ' ');
  return { id, title, advice: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}` };
};

const toGatewayPlatform = (platform: PlatformSettings, faces: Faces): GatewayPlatform => {
  const { definition, section } = platform;
  const { users, chats, owners = [], roles = [] } = definition.access(section);
  return {
    id: definition.id,
    title: definition.title,
    create: (services) => faces.adapter(platform, services),
    owners,
    allowedUsers: users,
    allowedChats: chats,
    allowedRoles: roles,
    requireMention: section.require_mention ?? sectionDefaults.requireMention,
    busy: section.busy ?? sectionDefaults.busy,
    streaming: section.streaming ?? sectionDefaults.streaming,
    reactions: section.reactions ?? sectionDefaults.reactions,
    toolProgress: section.tool_progress ?? sectionDefaults.toolProgress,
    ...(section.home_channel !== undefined && { homeChannel: section.home_channel }),
    variables: Object.fromEntries(Object.entries(definition.environment).map(([name, key]) => [key, name])),
    parseAddress: (name) => definition.parseAddress(name),
  };
};
