import { createDaemon, type Daemon } from '../app.js';
import {
  createIdSource,
  createLogger,
  createRedactor,
  createSystemClock,
  prepareHome,
} from '../host/index.js';
import type { Edge } from './edge.js';
import { readForCommand } from './read-for-command.js';

/**
 * Opens the home like a gateway that receives nothing, and closes it again. `role` tells other processes what holds the
 * home meanwhile. Rejects with a GatewayError.
 */
export const withHome = async <Result>(
  edge: Edge,
  role: string,
  work: (daemon: Daemon) => Promise<Result>,
): Promise<Result> => {
  const { settings } = await readForCommand(edge);
  const { paths, workspace, secrets } = settings;
  prepareHome({ ...paths, workspace });
  const clock = createSystemClock();
  const redact = createRedactor(secrets);
  const logger = createLogger({ level: settings.logLevel, folder: paths.logs, clock, redact });
  const { version, pid } = edge;
  const ids = createIdSource(clock);
  const daemon = await createDaemon({ settings, clock, ids, logger, redact, version, pid, role });
  try {
    await daemon.load();
    return await work(daemon);
  } finally {
    await daemon.stop();
  }
};
