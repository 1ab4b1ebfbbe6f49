import { renderUnicodeCompact } from 'uqr';
import { locateHome } from '../../config/home-paths.js';
import type { LinkRequest, LinkState } from '../../core/linking.js';
import { createSystemClock } from '../../host/system-clock.js';
import { askGateway, refusalOf } from '../control-client.js';
import { CommandFailure, type Edge, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';

const PLATFORM = 'whatsapp';
const PATH = `/api/platforms/${PLATFORM}/link`;
const POLL_MS = 1_000;
const TIMEOUT_MS = 20_000;

/** How linking is begun and looked at, through the gateway or without one. */
interface Linker {
  begin(request: LinkRequest): Promise<LinkState>;
  state(): Promise<LinkState>;
}

/** Shows codes as they change, until the phone has taken one. */
const follow = async (linker: Linker, request: LinkRequest, edge: Edge): Promise<void> => {
  const clock = createSystemClock();
  const signal = edge.watchStop();
  let state = await linker.begin(request);
  let shown = '';
  for (;;) {
    const { qr, code, message } = state;
    if (state.state === 'failed' || state.state === 'idle') throw new CommandFailure(message);
    const picture = qr === undefined ? code : renderUnicodeCompact(qr, { border: 2 });
    const text = [picture, message].filter((part) => part !== undefined).join('\n');
    if (text !== shown) (state.state === 'linked' ? edge.stdout : edge.stderr).write(`${text}\n`);
    shown = text;
    if (state.state === 'linked') return;
    try {
      await clock.sleep(POLL_MS, { signal });
    } catch {
      throw new CommandFailure('broken off. Nothing has changed; begin again at any time.');
    }
    state = await linker.state();
  }
};

const throughGateway = (edge: Edge, onDown: () => never): Linker => {
  const { socket } = locateHome(edge.environment);
  const clock = createSystemClock();
  const call = async (method: 'GET' | 'POST', body?: unknown): Promise<LinkState> => {
    const answer = await askGateway({ socket, method, path: PATH, body, timeoutMs: TIMEOUT_MS, clock });
    if (answer.type === 'down') return onDown();
    if (answer.status !== 200) throw new CommandFailure(refusalOf(answer.body));
    // Made by the same version's gateway, behind a socket that only its own user can open.
    return answer.body as LinkState;
  };
  return { begin: (request) => call('POST', request), state: () => call('GET') };
};

class GatewayDown extends Error {}

const login = async (request: LinkRequest, edge: Edge): Promise<void> => {
  const running = throughGateway(edge, () => {
    throw new GatewayDown('the gateway has stopped. Begin again.');
  });
  try {
    return await follow(running, request, edge);
  } catch (error) {
    if (!(error instanceof GatewayDown)) throw error;
  }
  const { withHome } = await import('../alone.js');
  await withHome(edge, 'hermes whatsapp login', async (daemon) => {
    await daemon.startSending();
    const linking = daemon.services.linking(PLATFORM);
    if (linking === undefined)
      throw new CommandFailure(
        'WhatsApp is off. Set WHATSAPP_ENABLED=true, or `enabled: true` below platforms.whatsapp, and try again.',
      );
    const alone: Linker = {
      begin: async (given) => linking.begin(given),
      state: async () => linking.state(),
    };
    await follow(alone, request, edge);
  });
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, {
    phone: { type: 'string' },
    again: { type: 'boolean' },
  });
  const [action, ...rest] = positionals;
  if (action !== 'login') throw new UsageError('write login');
  refuseWords(rest);
  const phone = values.phone?.replace(/[\s().+-]/gu, '');
  if (phone !== undefined && !/^\d{5,20}$/u.test(phone))
    throw new UsageError("--phone takes the account's number with its country code, like +15550100001");
  await login({ isAgain: values.again === true, ...(phone !== undefined && { phone }) }, edge);
  return 0;
};
