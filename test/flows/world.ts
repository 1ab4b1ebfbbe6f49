/**
 * A whole gateway in this process, its own clock in the test's hand, beside a Telegram world and a model world of its
 * own on the shared emulators. Everything between is real: SDKs, HTTP, database, files.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { createDaemon, type Daemon } from '../../src/app.js';
import { loadSettings, readSettings } from '../../src/config/index.js';
import { createIdSource, createRedactor, prepareHome } from '../../src/host/index.js';
import { createDiscordControl, type DiscordControl } from '../emulators/discord/control.js';
import { createOpenAiControl, type OpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl, type TelegramControl } from '../emulators/telegram/control.js';
import { createWhatsAppControl, type WhatsAppControl } from '../emulators/whatsapp/control.js';
import { linkHome, trustMediaOf } from '../emulators/whatsapp/linked-home.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';

export interface WorldOptions {
  /** Lines of config.yaml below `platforms.telegram:`, as one flow mapping's inside, e.g. `busy: queue`. */
  readonly telegram?: string;
  /** Further top-level lines of config.yaml. */
  readonly settings?: string;
  /** Likewise below `platforms.discord:`; absent: Discord is off. */
  readonly discord?: string;
  readonly discordWorld?: Parameters<DiscordControl['reset']>[0];
  /** Likewise below `platforms.whatsapp:`; absent: WhatsApp is off. */
  readonly whatsapp?: string;
  readonly whatsappWorld?: Parameters<WhatsAppControl['reset']>[0];
  readonly telegramWorld?: Parameters<TelegramControl['reset']>[0];
  /** False: the daemon is not started. */
  readonly isStarted?: boolean;
}

export interface World {
  readonly home: string;
  readonly workspace: string;
  readonly telegram: TelegramControl;
  readonly discord: DiscordControl;
  readonly whatsapp: WhatsAppControl;
  readonly model: OpenAiControl;
  readonly clock: ManualClock;
  readonly logger: MemoryLogger;
  /** The running one; throws if none runs. */
  readonly daemon: Daemon;
  start(): Promise<Daemon>;
  /** Lets grace times pass. */
  stop(): Promise<void>;
  /** Lets time pass, a quarter of a second at a time, until the promise is settled. */
  passing<T>(work: Promise<T>): Promise<T>;
  /** The page's own address, e.g. `http://127.0.0.1:40001/`. */
  pageUrl(): string;
}

/** The user that the settings allow. */
export const user = 1001;
export const otherUser = 1002;
/** The same two people in Discord. */
export const discordUser = '800000000000001001';
export const otherDiscordUser = '800000000000001002';
/** The same two people in WhatsApp. */
export const whatsappUser = '15550100001';
export const otherWhatsappUser = '15550100002';

const settingsText = (
  world: {
    apiRoot: string;
    token: string;
    baseUrl: string;
    key: string;
    discord: DiscordControl;
    whatsapp: string;
  },
  options: WorldOptions,
) => `
model: {provider: openai, default: test-model, base_url: '${world.baseUrl}', api_key: '${world.key}'}
platforms:
  telegram: {token: '${world.token}', api_root: '${world.apiRoot}', allowed_users: ['${user}', '${otherUser}'], ${options.telegram ?? 'streaming: false'}}
  web: {port: 0}${options.discord === undefined ? '' : `\n  discord: {token: '${world.discord.token}', api_root: '${world.discord.apiRoot}', allowed_users: ['${discordUser}', '${otherDiscordUser}'], ${options.discord}}`}${options.whatsapp === undefined ? '' : `\n  whatsapp: {enabled: true, ${world.whatsapp}, allowed_users: ['+${whatsappUser}', '+${otherWhatsappUser}'], ${options.whatsapp}}`}
${options.settings ?? ''}
`;

/** A token as Telegram makes them, of a bot that nobody else in the run has. */
const newToken = (): string =>
  `${randomInt(100_000_000, 999_999_999)}:TEST-${randomUUID().replaceAll('-', '')}`;

const newDiscordToken = (): string =>
  `${Buffer.from(`9${randomInt(1e8, 1e9 - 1)}${randomInt(1e8, 1e9 - 1)}`).toString('base64url')}.TEST12.${randomUUID()}`;

export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-flow-'));
  const telegram = createTelegramControl(`http://127.0.0.1:${inject('telegramPort')}`, newToken());
  const model = createOpenAiControl(`http://127.0.0.1:${inject('openaiPort')}`, `key-${randomUUID()}`);
  const discord = createDiscordControl(`http://127.0.0.1:${inject('discordPort')}`, newDiscordToken());
  await Promise.all([telegram.reset(options.telegramWorld), model.reset()]);
  if (options.discord !== undefined) await discord.reset(options.discordWorld);
  const whatsapp = createWhatsAppControl(`http://127.0.0.1:${inject('whatsappPort')}`, randomUUID());
  let whatsappAccess = '';
  if (options.whatsapp !== undefined) {
    const { trustRoot, mediaCertificate } = await whatsapp.reset(options.whatsappWorld);
    trustMediaOf(mediaCertificate);
    await linkHome(home, await whatsapp.credentials());
    whatsappAccess = `socket_url: '${whatsapp.socketUrl}', trust_root: '${trustRoot}'`;
  }
  const access = {
    apiRoot: telegram.apiRoot,
    token: telegram.token,
    baseUrl: model.baseUrl,
    key: model.key,
    discord,
    whatsapp: whatsappAccess,
  };
  await writeFile(join(home, 'config.yaml'), settingsText(access, options));
  // What people in WhatsApp send bears the time of their phones.
  const clock = options.whatsapp === undefined ? new ManualClock() : new ManualClock(Date.now());
  const logger = new MemoryLogger();
  let daemon: Daemon | undefined;

  const start = async (): Promise<Daemon> => {
    const { settings } = await loadSettings({ environment: { HERMES_HOME: home }, definitions: platforms });
    prepareHome({ ...settings.paths, workspace: settings.workspace });
    daemon = await createDaemon({
      settings,
      clock,
      ids: createIdSource(clock),
      logger,
      redact: createRedactor(settings.secrets),
      version: '0.0.0-test',
      pid: process.pid,
      readSettings: async () => {
        const read = await readSettings({ environment: { HERMES_HOME: home }, definitions: platforms });
        return read.ok ? read.settings : undefined;
      },
    });
    await daemon.start();
    return daemon;
  };
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const settled = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(250);
      // A round trip each time, so that the clock does not run away from what the network needs.
      await telegram.state();
    }
    return settled;
  };
  const stop = async (): Promise<void> => {
    await passing(daemon?.stop() ?? Promise.resolve());
    daemon = undefined;
  };
  onTestFinished(async () => {
    await model.reset();
    await stop();
    await Promise.all([
      telegram.remove(),
      discord.remove(),
      ...(options.whatsapp === undefined ? [] : [whatsapp.remove()]),
      model.forget(),
      rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
    ]);
  });
  if (options.isStarted !== false) {
    await start();
    await telegram.waitForPoll();
    if (options.discord !== undefined) await discord.waitForReady();
    if (options.whatsapp !== undefined) await whatsapp.waitForReady();
  }
  return {
    home,
    workspace: join(home, 'workspace'),
    telegram,
    discord,
    whatsapp,
    model,
    clock,
    logger,
    get daemon() {
      if (daemon === undefined) throw new Error('no daemon runs');
      return daemon;
    },
    start,
    stop,
    passing,
    pageUrl: () => {
      const url = daemon?.pageUrl();
      if (url === undefined) throw new Error('the page is not served');
      return url;
    },
  };
};
