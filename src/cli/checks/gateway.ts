import { createServer } from 'node:net';
import type { ListeningPlace } from '../../core/platform-definition.js';
import type { AdapterStatus } from '../../core/services.js';
import { formatSpan } from '../time-span.js';
import { type CheckContext, type Finding, type SettledContext, withoutStop } from './finding.js';

const base = { id: 'gateway', title: 'Gateway' } as const;

const judgeAdapter = ({ title, state, detail }: AdapterStatus): readonly Finding[] => {
  if (state === 'connected') return [];
  const text = `${title} is ${state === 'starting' ? 'still connecting' : state}`;
  if (state === 'starting') return [{ ...base, state: 'note', text }];
  return [{ ...base, state: 'mend', text, fix: detail ?? 'The log says why: logs/gateway.log in the home.' }];
};

export const checkGateway = ({ edge, clock, status }: CheckContext): readonly Finding[] => {
  if (status === undefined)
    return [{ ...base, state: 'note', text: 'not running', fix: `\`${edge.program} gateway\` starts it.` }];
  const since = formatSpan(clock.now() - status.startedAt);
  const isOther = status.version !== edge.version;
  return [
    { ...base, state: 'ok', text: `running for ${since} (pid ${status.pid})` },
    ...(isOther
      ? [
          {
            ...base,
            state: 'note',
            text: `version ${status.version} runs, and this is ${edge.version}`,
            fix: 'Start the gateway again, so that it is the new one.',
          } as const,
        ]
      : []),
    ...status.adapters.flatMap(judgeAdapter),
    ...status.problems.map((problem): Finding => {
      const [, what = problem, fix = 'See `hermes status`.'] = /^(.*?[.?!])\s+(.*)$/su.exec(problem) ?? [];
      return { ...base, state: 'mend', text: withoutStop(what), fix };
    }),
  ];
};

/** Undefined if the place is free, else the system's code. */
const tryPlace = ({ host, port }: ListeningPlace): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });

const adviseOn = (code: string, { host, port }: ListeningPlace, setting: string): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `Stop the other program (\`ss -ltnp 'sport = :${port}'\` names it), or set ${setting} to another port.`;
    case 'EACCES':
      return `Set ${setting} to a port above 1023, or let a proxy listen on ${port}.`;
    default:
      return `${host} has to be an address of this host, such as 127.0.0.1 or 0.0.0.0.`;
  }
};

/** Whether the ports that platforms listen on are free, or ours already. */
export const checkPorts = async ({ settings, status }: SettledContext): Promise<readonly Finding[]> => {
  const on = settings.platforms.filter(({ isEnabled }) => isEnabled);
  const findings = on.map(async ({ definition, section }): Promise<readonly Finding[]> => {
    const place = definition.listensAt?.(section);
    if (place === undefined || place.port === 0) return [];
    const port = { id: `port.${place.port}`, title: 'Port' };
    const isOurs = status?.adapters.some(
      ({ platform, state }) => platform === definition.id && state === 'connected',
    );
    if (isOurs === true)
      return [{ ...port, state: 'ok', text: `${place.port} is ours (${definition.title})` }];
    const code = await tryPlace(place);
    if (code === undefined)
      return [{ ...port, state: 'ok', text: `${place.port} is free (${definition.title})` }];
    const what = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be listened on (${code})`;
    const fix = adviseOn(code, place, `platforms.${definition.id}.${place.setting}`);
    return [{ ...port, state: 'mend', text: `${place.port} on ${place.host} ${what}`, fix }];
  });
  return (await Promise.all(findings)).flat();
};
