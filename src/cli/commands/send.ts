import { locateHome } from '../../config/home-paths.js';
import type { Clock } from '../../core/clock.js';
import { StoreError } from '../../core/errors.js';
import { parseTargets } from '../../core/targets.js';
import type { ToolDelivery } from '../../core/tool.js';
import { createIdSource } from '../../host/id-source.js';
import { createSystemClock } from '../../host/system-clock.js';
import { askGateway, LostAnswer, refusalOf } from '../control-client.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { parseOptions } from '../options.js';
import type { SendAlone, SendRequest } from '../send-alone.js';
import { tell } from '../tell.js';

/** Long enough for a platform's rate limit, short enough for a script that waits. */
const TIMEOUT_MS = 60_000;
/** What the gateway may take beyond that for its answer. */
const ANSWER_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
const BUSY_PAUSE_MS = 200;
/** However long another command had the home. */
const MIN_SEND_MS = 5_000;

const readText = async (words: readonly string[], { stdin }: Edge): Promise<string> => {
  const [word, ...rest] = words;
  if (rest.length > 0) throw new UsageError('the text is one argument: put it in quotes');
  if (word !== undefined && word !== '-') return word;
  if (word === undefined && stdin.isTerminal) throw new UsageError('there is no text');
  return stdin.readAll();
};

const readTargets = (to: string | undefined): string => {
  if (to === undefined) throw new UsageError('--to TARGET is missing');
  const parsed = parseTargets(to);
  if (!parsed.ok) throw new UsageError(parsed.problem.replace(/\.$/u, ''));
  if (parsed.targets.some(({ type }) => type === 'origin'))
    throw new UsageError('origin means the chat that a request came from, and a command comes from none');
  return to;
};

interface SendPorts {
  readonly alone: SendAlone;
  readonly clock: Clock;
}

interface Sent {
  readonly deliveries: readonly ToolDelivery[];
  readonly isByGateway: boolean;
}

const isRunning = async (socket: string, clock: Clock): Promise<boolean> => {
  const probe = { socket, method: 'GET', path: '/health', timeoutMs: PROBE_TIMEOUT_MS, clock } as const;
  return (await askGateway(probe)).type === 'answer';
};

/** Undefined if no gateway runs. */
const sendThroughGateway = async (
  { targets, text, paths, key }: SendRequest,
  edge: Edge,
  clock: Clock,
): Promise<readonly ToolDelivery[] | undefined> => {
  const { socket, home } = locateHome(edge.environment);
  // A gateway that starts clears the spool: it is filled only for one that runs.
  if (paths.length > 0 && !(await isRunning(socket, clock))) return undefined;
  const { takeFiles } = await import('../take-files.js');
  const files = await takeFiles(paths, home);
  const answer = await askGateway({
    socket,
    method: 'POST',
    path: '/api/deliveries',
    body: { to: targets, text, key, waitMs: TIMEOUT_MS, ...(files.length > 0 && { files }) },
    timeoutMs: TIMEOUT_MS + ANSWER_MS,
    clock,
  }).catch((error: unknown) => {
    if (!(error instanceof LostAnswer)) throw error;
    throw new CommandFailure(
      `${error.message} It is unknown whether it took the message; \`hermes status\` shows what waits in its outbox.`,
    );
  });
  if (answer.type === 'down') return undefined;
  const { deliveries } = answer.body as { readonly deliveries?: readonly ToolDelivery[] };
  // Made by the same version's gateway, behind a socket that only its own user can open.
  if (answer.status === 200 && deliveries !== undefined) return deliveries;
  throw new CommandFailure(`the gateway refused: ${refusalOf(answer.body)}`);
};

/** Tries the gateway, and the home itself where none runs; waits while another command has it. */
const sendAnyway = async (request: SendRequest, edge: Edge, { alone, clock }: SendPorts): Promise<Sent> => {
  const giveUpAt = clock.now() + TIMEOUT_MS;
  for (;;) {
    const deliveries = await sendThroughGateway(request, edge, clock);
    if (deliveries !== undefined) return { deliveries, isByGateway: true };
    try {
      const timeoutMs = Math.max(MIN_SEND_MS, giveUpAt - clock.now());
      return { deliveries: await alone(request, edge, timeoutMs), isByGateway: false };
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'locked') throw error;
      if (clock.now() >= giveUpAt) throw new CommandFailure(`${error.message} Nothing was sent or kept.`);
    }
    // A gateway that begins opens its socket in a moment; another send is over in a few seconds.
    await clock.sleep(BUSY_PAUSE_MS, { signal: new AbortController().signal });
  }
};

const whatWaits = (isByGateway: boolean, program: string): string =>
  isByGateway
    ? 'not confirmed yet; it is in the outbox of the gateway, which goes on trying.'
    : `not confirmed yet; it is in the outbox and goes on when a gateway runs (\`${program} gateway\`).`;

const report = ({ deliveries, isByGateway }: Sent, isJson: boolean, edge: Edge): void => {
  const { stdout, stderr, program } = edge;
  if (isJson) stdout.write(`${JSON.stringify({ deliveries }, null, 2)}\n`);
  for (const { target, state, detail } of deliveries) {
    switch (state) {
      case 'sent':
        if (!isJson) stdout.write(`${target}\t${detail}\n`);
        break;
      case 'failed':
        tell(stderr, `${target}: not sent: ${detail}\n`);
        break;
      case 'unknown':
        tell(stderr, `${target}: it is unknown whether it was sent, and it is not sent again: ${detail}\n`);
        break;
      case 'waiting':
        tell(stderr, `${target}: ${whatWaits(isByGateway, program)}\n`);
        break;
      default:
        state satisfies never;
    }
  }
};

const sendAlone: SendAlone = async (...args) => (await import('../send-alone.js')).sendAlone(...args);

export const runSend = async (args: readonly string[], edge: Edge, ports: SendPorts): Promise<ExitCode> => {
  const { values, positionals } = parseOptions(args, {
    to: { type: 'string' },
    json: { type: 'boolean' },
    file: { type: 'string', multiple: true },
  });
  const targets = readTargets(values.to);
  const paths = values.file ?? [];
  const isSilent = positionals.length === 0 && paths.length > 0;
  const text = isSilent ? '' : await readText(positionals, edge);
  if (text.trim() === '' && paths.length === 0) throw new UsageError('the text is empty');
  const key = `cli:${createIdSource(ports.clock).next('correlation')}`;
  const sent = await sendAnyway({ targets, text, paths, key }, edge, ports);
  report(sent, values.json === true, edge);
  const { deliveries } = sent;
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'sent') ? 0 : 1;
};

export const run: Run = (args, edge) => runSend(args, edge, { alone: sendAlone, clock: createSystemClock() });
