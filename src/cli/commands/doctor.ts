import { type Environment, locateHome } from '../../config/index.js';
import type { GatewayStatus } from '../../core/services.js';
import { createSystemClock } from '../../host/index.js';
import { checkClock } from '../checks/clock.js';
import { checkStore } from '../checks/database.js';
import type { CheckContext, Finding } from '../checks/finding.js';
import { checkGateway, checkPorts } from '../checks/gateway.js';
import { checkHome } from '../checks/home.js';
import { checkModels } from '../checks/model.js';
import { checkPlatforms } from '../checks/platforms.js';
import { checkNode, checkPrograms } from '../checks/programs.js';
import { checkSecrets } from '../checks/secrets.js';
import { checkSettings } from '../checks/settings.js';
import { askGateway } from '../control-client.js';
import type { Edge, Run } from '../edge.js';
import { formatFindings } from '../format-findings.js';
import { parseOptions, refuseWords } from '../options.js';
import { createPaint } from '../paint.js';
import { readWithWarnings } from '../read-for-command.js';

const STATUS_LIMIT_MS = 5_000;

const askStatus = async (
  socket: string,
  clock: CheckContext['clock'],
): Promise<GatewayStatus | undefined> => {
  const answer = await askGateway({
    socket,
    method: 'GET',
    path: '/api/status',
    timeoutMs: STATUS_LIMIT_MS,
    clock,
  });
  // Made by the same version's gateway, behind a socket that only its own user can open.
  return answer.type === 'answer' && answer.status === 200 ? (answer.body as GatewayStatus) : undefined;
};

const deaf = (error: unknown): Finding => ({
  id: 'gateway',
  title: 'Gateway',
  state: 'mend',
  text: error instanceof Error ? error.message.replace(/\.$/u, '') : String(error),
  fix: 'Start it again; the log says more.',
});

const examine = async (edge: Edge, isFixing: boolean): Promise<readonly Finding[]> => {
  const clock = createSystemClock();
  const paths = locateHome(edge.environment);
  let silence: readonly Finding[] = [];
  const status = await askStatus(paths.socket, clock).catch((error: unknown) => {
    silence = [deaf(error)];
    return undefined;
  });
  const context: CheckContext = { edge, clock, paths, isFixing, status };
  const before = await readWithWarnings(edge);
  const secrets = checkSecrets(context, before.ok ? before.settings.secrets : []);
  // What was mended just now is no longer worth a warning.
  const read = isFixing ? await readWithWarnings(edge) : before;
  const first = [...checkNode(process.versions.node), ...checkSettings(read, paths), ...checkHome(context)];
  const gateway = silence.length > 0 ? silence : checkGateway(context);
  const store = await checkStore(context);
  if (!read.ok) {
    const rest = { id: 'rest', title: 'The rest', state: 'skipped' } as const;
    const text = 'ports, platforms, model, clock and programs are looked at once the settings can be used';
    return [...first, ...secrets, ...store, ...gateway, { ...rest, text }];
  }
  const settled = { ...context, settings: read.settings };
  const live = await Promise.all([
    checkPorts(settled),
    checkPlatforms(settled),
    checkModels(settled),
    checkClock(settled),
    checkPrograms(settled),
  ]);
  return [...first, ...secrets, ...store, ...gateway, ...live.flat()];
};

/** A word for who waits at a terminal; gone once there is something to read. */
const withPatience = async <Result>(edge: Edge, work: Promise<Result>): Promise<Result> => {
  if (!edge.stderr.isTerminal || isDumb(edge.environment)) return work;
  edge.stderr.write('Looking at everything …');
  try {
    return await work;
  } finally {
    edge.stderr.write('\r\u001B[K');
  }
};

const isDumb = (environment: Environment): boolean => environment['TERM'] === 'dumb';

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean' }, fix: { type: 'boolean' } });
  refuseWords(positionals);
  const { stdout, environment, version, program } = edge;
  const findings = await withPatience(edge, examine(edge, values.fix === true));
  const isWell = findings.every(({ state }) => state !== 'mend');
  if (values.json === true)
    stdout.write(`${JSON.stringify({ ok: isWell, version, checks: findings }, null, 2)}\n`);
  else stdout.write(formatFindings(findings, { paint: createPaint(stdout, environment), program }));
  return isWell ? 0 : 1;
};
