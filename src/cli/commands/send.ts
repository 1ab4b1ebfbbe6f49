import { locateHome } from '../../config/home-paths.js';
import { parseTargets } from '../../core/targets.js';
import type { ToolDelivery } from '../../core/tool.js';
import { createIdSource } from '../../host/id-source.js';
import { createSystemClock } from '../../host/system-clock.js';
import { askGateway, refusalOf } from '../control-client.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { parseOptions } from '../options.js';
import type { SendAlone, SendRequest } from '../send-alone.js';
import { tell } from '../tell.js';

/** Long enough for a platform's rate limit, short enough for a script that waits. */
const TIMEOUT_MS = 60_000;

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

/** Undefined if no gateway runs. */
const sendThroughGateway = async (
  { targets, text, key }: SendRequest,
  edge: Edge,
): Promise<readonly ToolDelivery[] | undefined> => {
  const { socket } = locateHome(edge.environment);
  const body = { to: targets, text, key };
  const answer = await askGateway({
    socket,
    method: 'POST',
    path: '/api/deliveries',
    body,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.type === 'down') return undefined;
  const { deliveries } = answer.body as { readonly deliveries?: readonly ToolDelivery[] };
  // Made by the same version's gateway, behind a socket that only its own user can open.
  if (answer.status === 200 && deliveries !== undefined) return deliveries;
  throw new CommandFailure(`the gateway refused: ${refusalOf(answer.body)}`);
};

const report = (deliveries: readonly ToolDelivery[], isJson: boolean, { stdout, stderr }: Edge): void => {
  if (isJson) stdout.write(`${JSON.stringify({ deliveries }, null, 2)}\n`);
  for (const { target, state, detail } of deliveries) {
    if (state !== 'sent')
      tell(
        stderr,
        `${target}: ${state === 'failed' ? 'not sent' : 'it is unknown whether it was sent'}: ${detail}\n`,
      );
    else if (!isJson) stdout.write(`${target}\t${detail}\n`);
  }
};

const sendAlone: SendAlone = async (...args) => (await import('../send-alone.js')).sendAlone(...args);

export const runSend = async (
  args: readonly string[],
  edge: Edge,
  { alone }: { readonly alone: SendAlone },
): Promise<ExitCode> => {
  const { values, positionals } = parseOptions(args, {
    to: { type: 'string' },
    json: { type: 'boolean' },
    file: { type: 'string', multiple: true },
  });
  const targets = readTargets(values.to);
  if (values.file !== undefined) throw new CommandFailure('not yet: --file is not built in this version.');
  const text = await readText(positionals, edge);
  if (text.trim() === '') throw new UsageError('the text is empty');
  const key = `cli:${createIdSource(createSystemClock()).next('correlation')}`;
  const request = { targets, text, key };
  const deliveries = (await sendThroughGateway(request, edge)) ?? (await alone(request, edge, TIMEOUT_MS));
  report(deliveries, values.json === true, edge);
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'sent') ? 0 : 1;
};

export const run: Run = (args, edge) => runSend(args, edge, { alone: sendAlone });
