import { createDaemon } from '../app.js';
import type { ToolDelivery } from '../core/tool.js';
import {
  createIdSource,
  createLogger,
  createRedactor,
  createSystemClock,
  prepareHome,
} from '../host/index.js';
import type { Edge } from './edge.js';
import { readForCommand } from './read-for-command.js';

export interface SendRequest {
  readonly targets: string;
  readonly text: string;
  /** The same for a repeat of the same command's request, so that nothing is sent twice. */
  readonly key: string;
}

/** Sends without a gateway. Rejects with a GatewayError. */
export type SendAlone = (
  request: SendRequest,
  edge: Edge,
  timeoutMs: number,
) => Promise<readonly ToolDelivery[]>;

/** Opens the home like a gateway that only sends, and closes it again. */
export const sendAlone: SendAlone = async (request, edge, timeoutMs) => {
  const { settings } = await readForCommand(edge);
  const { paths, workspace, secrets } = settings;
  prepareHome({ ...paths, workspace });
  const clock = createSystemClock();
  const redact = createRedactor(secrets);
  const logger = createLogger({ level: settings.logLevel, folder: paths.logs, clock, redact });
  const { version, pid } = edge;
  const ids = createIdSource(clock);
  const daemon = await createDaemon({
    settings,
    clock,
    ids,
    logger,
    redact,
    version,
    pid,
    role: 'hermes send',
  });
  try {
    await daemon.startSending();
    return await daemon.services.send(request, { signal: AbortSignal.timeout(timeoutMs) });
  } finally {
    await daemon.stop();
  }
};
