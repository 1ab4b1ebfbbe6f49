import { resolve } from 'node:path';
import { locateHome } from '../../config/home-paths.js';
import type { Clock } from '../../core/clock.js';
import { StoreError, ToolError } from '../../core/errors.js';
import type { StoredFile } from '../../core/parts.js';
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
const BUSY_PAUSE_MS = 200;

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
  { targets, text, files, key }: SendRequest,
  edge: Edge,
): Promise<readonly ToolDelivery[] | undefined> => {
  const { socket } = locateHome(edge.environment);
  const body = { to: targets, text, key, ...(files.length > 0 && { files }) };
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

const outcomes: Readonly<Record<Exclude<ToolDelivery['state'], 'sent'>, string>> = {
  failed: 'not sent',
  unknown: 'it is unknown whether it was sent',
  waiting: 'not sent yet',
};

const report = (deliveries: readonly ToolDelivery[], isJson: boolean, { stdout, stderr }: Edge): void => {
  if (isJson) stdout.write(`${JSON.stringify({ deliveries }, null, 2)}\n`);
  for (const { target, state, detail } of deliveries) {
    if (state !== 'sent') tell(stderr, `${target}: ${outcomes[state]}: ${detail}\n`);
    else if (!isJson) stdout.write(`${target}\t${detail}\n`);
  }
};

/** Copies the files to the home's spool, so that what is sent is what lies there now. */
const takeFiles = async (paths: readonly string[], edge: Edge): Promise<readonly StoredFile[]> => {
  if (paths.length === 0) return [];
  const { takeForSending } = await import('../take-files.js');
  const taken: StoredFile[] = [];
  for (const path of paths) {
    try {
      taken.push(await takeForSending(resolve(path), locateHome(edge.environment).home));
    } catch (error) {
      if (error instanceof ToolError) throw new CommandFailure(`${path} cannot be sent: ${error.message}.`);
      throw error;
    }
  }
  return taken;
};

/** Tries the gateway, and the home itself where none runs; waits while another command has it. */
const sendAnyway = async (
  request: SendRequest,
  edge: Edge,
  { alone, clock }: SendPorts,
): Promise<readonly ToolDelivery[]> => {
  const giveUpAt = clock.now() + TIMEOUT_MS;
  for (;;) {
    const deliveries = await sendThroughGateway(request, edge);
    if (deliveries !== undefined) return deliveries;
    try {
      return await alone(request, edge, Math.max(1_000, giveUpAt - clock.now()));
    } catch (error) {
      const isTaken = error instanceof StoreError && error.code === 'locked';
      if (!isTaken || clock.now() >= giveUpAt) throw error;
    }
    // A gateway that begins opens its socket in a moment; another send is over in a few seconds.
    await clock.sleep(BUSY_PAUSE_MS, { signal: new AbortController().signal });
  }
};

interface SendPorts {
  readonly alone: SendAlone;
  readonly clock: Clock;
}

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
  const files = await takeFiles(paths, edge);
  const deliveries = await sendAnyway({ targets, text, files, key }, edge, ports);
  report(deliveries, values.json === true, edge);
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'sent') ? 0 : 1;
};

export const run: Run = (args, edge) => runSend(args, edge, { alone: sendAlone, clock: createSystemClock() });
