import { locateHome } from '../../config/home-paths.js';
import type { StoredMessage } from '../../core/archive.js';
import { formatLocalTime } from '../../core/local-time.js';
import type { GatewayServices } from '../../core/services.js';
import { explainFinding, type ListedSession } from '../../core/session-service.js';
import { createSystemClock } from '../../host/system-clock.js';
import { ask } from '../ask.js';
import { askGateway } from '../control-client.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { titleOf, toJsonLines, toMarkdown } from '../format-transcript.js';
import { parseOptions, refuseWords } from '../options.js';
import { tell } from '../tell.js';

const role = 'hermes sessions';
const LISTED = 100;
const SHOWN = 20;
const MOST = 100_000;
const PROBE_TIMEOUT_MS = 5_000;

interface Listing {
  readonly sessions: readonly ListedSession[];
  readonly timezone?: string;
}

interface Transcript {
  readonly session: ListedSession;
  readonly messages: readonly StoredMessage[];
  readonly timezone?: string;
}

const zoneOf = ({ sessions }: GatewayServices) =>
  sessions.timezone === undefined ? {} : { timezone: sessions.timezone };

const readAlone = async (services: GatewayServices, name: string): Promise<Transcript> => {
  const finding = await services.sessions.find(name);
  if (finding.type !== 'one') throw new CommandFailure(explainFinding(finding, name));
  const { session } = finding;
  return { session, messages: await services.sessions.transcript(session.id), ...zoneOf(services) };
};

const fetchList = (limit: number, edge: Edge): Promise<Listing> =>
  ask(
    {
      method: 'GET',
      path: `/api/archive?limit=${limit}`,
      alone: async (services) => ({
        sessions: await services.sessions.list({ limit }),
        ...zoneOf(services),
      }),
    },
    role,
    edge,
  );

const fetchTranscript = (name: string, edge: Edge): Promise<Transcript> =>
  ask(
    {
      method: 'GET',
      path: `/api/archive/${encodeURIComponent(name)}`,
      alone: (services) => readAlone(services, name),
    },
    role,
    edge,
  );

const writeJson = (value: unknown, { stdout }: Edge): void =>
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const list = async (limit: number, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { sessions, timezone } = await fetchList(limit, edge);
  if (isJson) {
    writeJson({ sessions }, edge);
    return 0;
  }
  if (sessions.length === 0) edge.stderr.write('There is no conversation yet.\n');
  for (const session of sessions) {
    const { id, usedAt, messages, place, isRunning } = session;
    const state = isRunning ? 'working' : formatLocalTime(usedAt, timezone);
    edge.stdout.write(`${[id, state, String(messages), place, titleOf(session)].join('\t')}\n`);
  }
  return 0;
};

const show = async (name: string, limit: number, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { session, messages, timezone } = await fetchTranscript(name, edge);
  const newest = messages.slice(Math.max(0, messages.length - limit));
  if (isJson) writeJson({ session, messages: newest }, edge);
  else edge.stdout.write(toMarkdown(session, newest, timezone));
  const left = messages.length - newest.length;
  if (left > 0) tell(edge.stderr, `(${left} earlier messages are not shown; --limit shows more.)\n`);
  return 0;
};

type Format = 'jsonl' | 'markdown';

/** Undefined: all of them. */
type Names = readonly string[] | undefined;

interface Source {
  list(limit: number): Promise<readonly ListedSession[]>;
  read(name: string): Promise<Transcript>;
}

const exportFrom = async (source: Source, names: Names, format: Format, edge: Edge): Promise<void> => {
  const all = names ?? (await source.list(MOST)).map(({ id }) => id);
  for (const [index, name] of all.entries()) {
    const { session, messages, timezone } = await source.read(name);
    const text =
      format === 'jsonl' ? toJsonLines(session, messages) : toMarkdown(session, messages, timezone);
    edge.stdout.write(index > 0 && format === 'markdown' ? `\n${text}` : text);
  }
};

/** Without a gateway the home is opened once for all of them. */
const exportAll = async (names: Names, format: Format, edge: Edge): Promise<ExitCode> => {
  const { socket } = locateHome(edge.environment);
  const clock = createSystemClock();
  const probe = await askGateway({
    socket,
    method: 'GET',
    path: '/health',
    timeoutMs: PROBE_TIMEOUT_MS,
    clock,
  });
  if (probe.type === 'answer') {
    const source: Source = {
      list: async (limit) => (await fetchList(limit, edge)).sessions,
      read: (name) => fetchTranscript(name, edge),
    };
    await exportFrom(source, names, format, edge);
    return 0;
  }
  const { withHome } = await import('../alone.js');
  await withHome(edge, role, ({ services }) => {
    const source: Source = {
      list: (limit) => services.sessions.list({ limit }),
      read: (name) => readAlone(services, name),
    };
    return exportFrom(source, names, format, edge);
  });
  return 0;
};

const remove = async (name: string, isSure: boolean, edge: Edge): Promise<ExitCode> => {
  const { session } = await fetchTranscript(name, edge);
  const { id, place, messages } = session;
  const what = `${titleOf(session)} (${place}, ${messages} messages, ${id})`;
  if (!isSure) {
    if (!edge.stdin.isTerminal) throw new UsageError('nobody can be asked here: add --yes');
    tell(edge.stderr, `Delete for good: ${what}? Type yes: `);
    const answer = (await edge.stdin.readLine()).trim().toLowerCase();
    if (answer !== 'yes' && answer !== 'y') throw new CommandFailure('Nothing was deleted.');
  }
  await ask(
    {
      method: 'DELETE',
      path: `/api/archive/${encodeURIComponent(id)}`,
      alone: async ({ sessions }) => {
        if ((await sessions.delete(id)) !== 'running') return;
        throw new CommandFailure(
          'A turn of it was interrupted and goes on when the gateway starts. Start it, send /stop there, then delete it.',
        );
      },
    },
    role,
    edge,
  );
  tell(edge.stderr, `Deleted: ${what}.\n`);
  return 0;
};

const parseLimit = (text: string | undefined, usual: number): number => {
  if (text === undefined) return usual;
  const limit = Number(text);
  if (!/^\d+$/u.test(text) || limit < 1 || limit > MOST)
    throw new UsageError(`--limit is a number from 1 to ${MOST}`);
  return limit;
};

const parseFormat = (text: string | undefined): Format => {
  if (text === undefined || text === 'jsonl') return 'jsonl';
  if (text === 'markdown') return text;
  throw new UsageError(`--format is jsonl or markdown, not '${text}'`);
};

const theOnly = ([name, ...rest]: readonly string[]): string => {
  if (name === undefined) throw new UsageError('NAME is missing: `hermes sessions list` shows the ids');
  refuseWords(rest);
  return name;
};

const namesOf = (names: readonly string[], isAll: boolean): Names => {
  if (isAll) refuseWords(names);
  else if (names.length === 0) theOnly(names);
  return isAll ? undefined : names;
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean' },
    limit: { type: 'string' },
    format: { type: 'string' },
    all: { type: 'boolean' },
    yes: { type: 'boolean' },
  });
  const [action, ...names] = positionals;
  const isJson = values.json === true;
  switch (action) {
    case 'list':
      refuseWords(names);
      return list(parseLimit(values.limit, LISTED), isJson, edge);
    case 'show':
      return show(theOnly(names), parseLimit(values.limit, SHOWN), isJson, edge);
    case 'export':
      return exportAll(namesOf(names, values.all === true), parseFormat(values.format), edge);
    case 'delete':
      return remove(theOnly(names), values.yes === true, edge);
    default:
      throw new UsageError('write list, show NAME, export NAME or delete NAME');
  }
};
