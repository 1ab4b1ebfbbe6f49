import { createDaemon, type Daemon } from '../../app.js';
import type { Settings } from '../../config/index.js';
import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import {
  createIdSource,
  createLogger,
  createRedactor,
  createSystemClock,
  prepareHome,
} from '../../host/index.js';
import { formatBanner } from '../banner.js';
import type { Edge, ExitCode, Run } from '../edge.js';
import { createFreshSettings } from '../fresh-settings.js';
import { parseOptions, refuseWords } from '../options.js';
import { createPaint, isColoured } from '../paint.js';
import { readForCommand } from '../read-for-command.js';
import { type SettingsWatch, watchSettings } from '../settings-watch.js';

/** How long the first words wait for the platforms, so that they can say how these are. */
const PATIENCE_MS = 2_000;
const STEP_MS = 20;

const isSettled = async ({ services }: Daemon): Promise<boolean> =>
  (await services.status()).adapters.every(({ state }) => state !== 'starting');

const settle = async (daemon: Daemon, clock: Clock, signal: AbortSignal): Promise<void> => {
  const until = clock.now() + PATIENCE_MS;
  while (clock.now() < until && !signal.aborted && !(await isSettled(daemon)))
    // A stop ends the waiting; what follows sees it.
    await clock.sleep(STEP_MS, { signal }).catch(() => {});
};

interface Life {
  readonly edge: Edge;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stop: AbortSignal;
  readonly create: (settings: Settings) => Promise<Daemon>;
  readonly watch: SettingsWatch;
}

const greet = async (daemon: Daemon, settings: Settings, { edge, clock, stop }: Life): Promise<void> => {
  const { stderr, environment, program } = edge;
  await settle(daemon, clock, stop);
  const status = await daemon.services.status();
  const paint = createPaint(stderr, environment);
  if (!stop.aborted)
    stderr.write(formatBanner({ settings, status, pageUrl: daemon.pageUrl(), paint, program }));
};

/** Runs by these settings until the end, or until others are there: those are given back. */
const live = async (settings: Settings, life: Life): Promise<Settings | undefined> => {
  const { edge, logger, watch } = life;
  prepareHome({ ...settings.paths, workspace: settings.workspace });
  const daemon = await life.create(settings);
  try {
    await daemon.start();
    logger.info({ version: edge.version, pid: edge.pid }, 'gateway started');
    await greet(daemon, settings, life);
    const next = await watch.next(settings);
    if (next === undefined) logger.info({}, 'gateway stopping');
    return next;
  } finally {
    await daemon.stop();
  }
};

/** One life after the other; settings that turn out to be of no use are left for those before them. */
const liveOn = async (first: Settings, life: Life): Promise<void> => {
  const { logger } = life;
  let settings: Settings | undefined = first;
  let before: Settings | undefined;
  while (settings !== undefined) {
    const current: Settings = settings;
    try {
      settings = await live(current, life);
      before = current;
      if (settings !== undefined) logger.info({}, 'settings have changed, the gateway goes on with them');
    } catch (error) {
      if (before === undefined || before === current) throw error;
      logger.error({ error }, 'the gateway cannot start with the new settings, the ones before stay');
      settings = before;
    }
  }
};

export const runGateway = async (
  args: readonly string[],
  edge: Edge,
  parts: { readonly createDaemon: typeof createDaemon },
): Promise<ExitCode> => {
  refuseWords(parseOptions(args, {}).positionals);
  const { stderr, environment, version, pid } = edge;
  const { settings } = await readForCommand(edge);
  const { paths, workspace, logLevel } = settings;
  prepareHome({ ...paths, workspace });
  const clock = createSystemClock();
  const secrets = new Set(settings.secrets);
  let mask = createRedactor([...secrets]);
  const redact = (text: string): string => mask(text);
  const terminal = {
    isColoured: isColoured(stderr, environment),
    write: (text: string) => stderr.write(text),
  };
  const logger = createLogger({
    level: logLevel,
    folder: paths.logs,
    clock,
    redact,
    terminal,
    defer: setImmediate,
  });
  edge.onCrash((error) => logger.error({ error }, 'gateway crashed'));
  const stop = edge.watchStop();
  const ids = createIdSource(clock);
  const create = (current: Settings): Promise<Daemon> => {
    // Those of before may still stand in what is stored.
    for (const secret of current.secrets) secrets.add(secret);
    mask = createRedactor([...secrets]);
    return parts.createDaemon({
      isWallClock: true,
      settings: current,
      clock,
      ids,
      logger,
      redact,
      version,
      pid,
      readSettings: createFreshSettings(current, edge),
    });
  };
  const watch = watchSettings({ edge, clock, logger, signal: stop });
  await liveOn(settings, { edge, clock, logger, stop, create, watch });
  logger.info({}, 'gateway stopped');
  logger.flush();
  return 0;
};

export const run: Run = (args, edge) => runGateway(args, edge, { createDaemon });
