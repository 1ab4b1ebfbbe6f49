import { createDaemon, type Daemon } from '../../app.js';
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

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const listenToProcess = (edge: Edge, logger: Logger): AbortSignal => {
  edge.onCrash((error) => logger.error({ error }, 'gateway crashed'));
  edge.onReload(() =>
    logger.warn({}, 'SIGHUP ignored: settings cannot be reloaded yet; restart the gateway to apply them'),
  );
  return edge.watchStop();
};

export const runGateway = async (
  args: readonly string[],
  edge: Edge,
  parts: { readonly createDaemon: typeof createDaemon },
): Promise<ExitCode> => {
  refuseWords(parseOptions(args, {}).positionals);
  const { stderr, environment, version, pid, program } = edge;
  const { settings } = await readForCommand(edge);
  const { paths, workspace, secrets, logLevel } = settings;
  prepareHome({ ...paths, workspace });
  const clock = createSystemClock();
  const redact = createRedactor(secrets);
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
  const stop = listenToProcess(edge, logger);
  const ids = createIdSource(clock);
  const daemon = await parts.createDaemon({
    isWallClock: true,
    settings,
    clock,
    ids,
    logger,
    redact,
    version,
    pid,
    readSettings: createFreshSettings(settings, edge),
  });
  try {
    await daemon.start();
    logger.info({ version, pid }, 'gateway started');
    await settle(daemon, clock, stop);
    const status = await daemon.services.status();
    const paint = createPaint(stderr, environment);
    if (!stop.aborted)
      stderr.write(formatBanner({ settings, status, pageUrl: daemon.pageUrl(), paint, program }));
    await untilAborted(stop);
    logger.info({}, 'gateway stopping');
  } finally {
    await daemon.stop();
  }
  logger.info({}, 'gateway stopped');
  logger.flush();
  return 0;
};

export const run: Run = (args, edge) => runGateway(args, edge, { createDaemon });
