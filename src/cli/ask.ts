/** One question to the gateway: to the one that runs, or, where none does, to its home. */
import { locateHome } from '../config/home-paths.js';
import type { GatewayServices } from '../core/services.js';
import { createSystemClock } from '../host/system-clock.js';
import { askGateway, type ControlRequest, refusalOf } from './control-client.js';
import { CommandFailure, type Edge } from './edge.js';

/** An answer may need the platform, e.g. to tell somebody, or a long look at the disk. */
const TIMEOUT_MS = 20_000;

export interface Question<Answer> {
  readonly method: ControlRequest['method'];
  readonly path: string;
  readonly body?: unknown;
  /** The same without a gateway; a refusal is a CommandFailure. */
  alone(services: GatewayServices): Promise<Answer>;
  /** Whether it may have something to say to a chat. */
  readonly isSending?: boolean;
  /** Whether jobs may run meanwhile. */
  readonly isRunningJobs?: boolean;
}

/** `role` tells other processes what holds the home meanwhile. Rejects with a CommandFailure or a GatewayError. */
export const ask = async <Answer>(
  { method, path, body, alone, isSending = false, isRunningJobs = false }: Question<Answer>,
  role: string,
  edge: Edge,
): Promise<Answer> => {
  const { socket } = locateHome(edge.environment);
  const clock = createSystemClock();
  const answer = await askGateway({ socket, method, path, body, timeoutMs: TIMEOUT_MS, clock });
  if (answer.type === 'answer') {
    if (answer.status !== 200) throw new CommandFailure(refusalOf(answer.body));
    // Made by the same version's gateway, behind a socket that only its own user can open.
    return answer.body as Answer;
  }
  const { withHome } = await import('./alone.js');
  return withHome(edge, role, async (daemon) => {
    if (isRunningJobs) await daemon.startJobs();
    else if (isSending) await daemon.startSending();
    return alone(daemon.services);
  });
};
