import type { ToolDelivery } from '../core/tool.js';
import { withHome } from './alone.js';
import type { Edge } from './edge.js';

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
export const sendAlone: SendAlone = (request, edge, timeoutMs) =>
  withHome(edge, 'hermes send', async (daemon) => {
    await daemon.startSending();
    return daemon.services.send(request, { signal: AbortSignal.timeout(timeoutMs) });
  });
