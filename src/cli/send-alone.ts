import { locateHome } from '../config/home-paths.js';
import type { ToolDelivery } from '../core/tool.js';
import { createSystemClock } from '../host/index.js';
import { withHome } from './alone.js';
import type { Edge } from './edge.js';
import { takeFiles } from './take-files.js';

export interface SendRequest {
  readonly targets: string;
  readonly text: string;
  /** Of files that go with it. */
  readonly paths: readonly string[];
  /** The same for a repeat of the same command's request, so that nothing is sent twice. */
  readonly key: string;
}

/** Sends without a gateway. Rejects with a GatewayError, `locked` while another process has the home. */
export type SendAlone = (
  request: SendRequest,
  edge: Edge,
  timeoutMs: number,
) => Promise<readonly ToolDelivery[]>;

/** Opens the home like a gateway that only sends, and closes it again. */
export const sendAlone: SendAlone = ({ paths, ...message }, edge, timeoutMs) =>
  withHome(edge, 'hermes send', async (daemon) => {
    await daemon.startSending();
    // Not before: whoever starts to send clears the spool of what no delivery names.
    const files = await takeFiles(paths, locateHome(edge.environment).home);
    const limit = new AbortController();
    const cancel = createSystemClock().after(timeoutMs, () => limit.abort(new Error('time limit')));
    try {
      return await daemon.services.send({ ...message, files }, { signal: limit.signal });
    } finally {
      cancel();
    }
  });
