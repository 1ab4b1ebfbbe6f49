import type { AdapterStatus, ForgottenReport, GatewayStatus } from '../core/services.js';
import { describeModel } from '../core/setting-words.js';
import type { Paint } from './paint.js';
import { formatSpan } from './time-span.js';
import { wrap } from './wrap.js';

/** With the mark before it, a line of 80 columns. */
const WIDTH = 76;

const styles = { connected: 'green', starting: 'yellow', unhealthy: 'red', stopped: 'red' } as const;

const ago = (at: number | undefined, now: number): string =>
  at === undefined ? '–' : `${formatSpan(now - at)} ago`;

const columns = [16, 11, 12, 16, 16] as const;

const toRow = (cells: readonly string[]): readonly string[] =>
  cells.map((cell, index) => cell.padEnd(columns[index] ?? 0));

const platformRow = (adapter: AdapterStatus, now: number, paint: Paint): string => {
  const { title, state, since, lastInboundAt, lastSentAt } = adapter;
  const cells = toRow([title, state, formatSpan(now - since), ago(lastInboundAt, now), ago(lastSentAt, now)]);
  return cells
    .map((cell, index) => (index === 1 ? paint(cell, styles[state]) : cell))
    .join(' ')
    .trimEnd();
};

const note = (text: string, paint: Paint): string =>
  `${paint('!', 'yellow')} ${wrap(text, { width: WIDTH, indent: '  ' })}`;

/** Why a platform is not as it should be, and what to do. */
const reasonOf = ({ title, detail }: AdapterStatus, paint: Paint): readonly string[] =>
  detail === undefined ? [] : [note(`${title}: ${detail}`, paint)];

const queueLine = ({ queues }: GatewayStatus): string => {
  const { runningTurns, waitingMessages, pendingDeliveries, failedDeliveries, unknownDeliveries } = queues;
  const kept =
    failedDeliveries + unknownDeliveries === 0
      ? ''
      : `, ${failedDeliveries} failed, ${unknownDeliveries} unknown`;
  const turns = `${runningTurns} ${runningTurns === 1 ? 'turn' : 'turns'} running`;
  return `${turns}, ${waitingMessages} messages waiting, ${pendingDeliveries} to be sent${kept}`;
};

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** What went by its age or for room. */
const forgottenLine = ({ at, sessions, messages, files, bytes }: ForgottenReport, now: number): string => {
  const size = `${(bytes / 1_048_576).toFixed(1)} MB`;
  const what = [
    ...counted(sessions, 'conversation', 'conversations'),
    ...counted(messages, 'old message', 'old messages'),
    ...counted(files, `file (${size})`, `files (${size})`),
  ];
  return `Forgot  ${what.join(', ')}, ${ago(at, now)}`;
};

/** For people, within 80 columns; ends with a line break. */
export const formatStatus = (
  status: GatewayStatus,
  { now, paint }: { readonly now: number; readonly paint: Paint },
): string => {
  const { version, pid, startedAt, model, adapters, problems, forgotten } = status;
  const table =
    adapters.length === 0
      ? ['No platform is on.']
      : [
          paint(
            toRow(['PLATFORM', 'STATE', 'SINCE', 'LAST MESSAGE', 'LAST SENT']).join(' ').trimEnd(),
            'dim',
          ),
          ...adapters.flatMap((adapter) => [platformRow(adapter, now, paint), ...reasonOf(adapter, paint)]),
        ];
  const list = problems.map((problem) => note(problem, paint));
  const lines = [
    `${paint(`Hermes Gateway ${version}`, 'bold')}, running for ${formatSpan(now - startedAt)} (pid ${pid})`,
    `Model   ${describeModel(model)}`,
    `Queues  ${queueLine(status)}`,
    ...(forgotten === undefined ? [] : [forgottenLine(forgotten, now)]),
    '',
    ...table,
    ...(list.length === 0 ? [] : ['', ...list]),
  ];
  return `${lines.join('\n')}\n`;
};
