import { locateHome } from '../../config/home-paths.js';
import type { Clock } from '../../core/clock.js';
import type { GatewayStatus } from '../../core/services.js';
import { createSystemClock } from '../../host/system-clock.js';
import { askGateway, refusalOf } from '../control-client.js';
import { CommandFailure, type Edge, type Run } from '../edge.js';
import { formatStatus } from '../format-status.js';
import { parseOptions, refuseWords } from '../options.js';
import { createPaint } from '../paint.js';
import { tell } from '../tell.js';

const TIMEOUT_MS = 5_000;

/** Undefined if no gateway runs. */
const fetchStatus = async (socket: string, clock: Clock): Promise<GatewayStatus | undefined> => {
  const answer = await askGateway({
    socket,
    method: 'GET',
    path: '/api/status',
    timeoutMs: TIMEOUT_MS,
    clock,
  });
  if (answer.type === 'down') return undefined;
  const { status, body } = answer;
  if (status !== 200) throw new CommandFailure(`the gateway refused: ${refusalOf(body)}`);
  // Made by the same version's gateway, behind a socket that only its own user can open.
  return body as GatewayStatus;
};

const print = (status: GatewayStatus | undefined, home: string, isJson: boolean, edge: Edge): void => {
  const { stdout, stderr, environment } = edge;
  if (isJson) stdout.write(`${JSON.stringify({ running: status !== undefined, ...status }, null, 2)}\n`);
  else if (status === undefined)
    tell(stderr, `The gateway is not running on ${home}. Start it with \`${edge.program} gateway\`.\n`);
  else
    stdout.write(
      formatStatus(status, { now: createSystemClock().now(), paint: createPaint(stdout, environment) }),
    );
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean' } });
  refuseWords(positionals);
  const { home, socket } = locateHome(edge.environment);
  const status = await fetchStatus(socket, createSystemClock());
  print(status, home, values.json === true, edge);
  return status === undefined ? 1 : 0;
};
