import type { SessionOverview } from '../../core/archive.js';
import { formatLocalTime } from '../../core/local-time.js';
import type { Command, CommandContext } from './command.js';

const toLine = (
  { title, usedAt, isCurrent }: SessionOverview,
  index: number,
  timezone: string | undefined,
): string =>
  `${index + 1}. ${title === '' ? '(nothing said yet)' : title} – ${formatLocalTime(usedAt, timezone)}${isCurrent ? ' – now' : ''}`;

const switchTo = async (
  { args, isRunning, resume }: CommandContext,
  list: readonly SessionOverview[],
): Promise<string> => {
  const session = /^\d{1,3}$/u.test(args) ? list[Number(args) - 1] : undefined;
  if (session === undefined) return `There is no conversation '${args}'. /sessions lists them.`;
  if (session.isCurrent) return 'That is the one we are in.';
  if (isRunning()) return 'I am still working. /stop ends that; then we can switch.';
  if (!(await resume(session.id))) return 'That conversation is gone.';
  return `We go on with: ${session.title}`;
};

export const sessions: Command = {
  name: 'sessions',
  description: 'List earlier conversations, or go back to one',
  run: async (context) => {
    const list = await context.sessions();
    if (context.args !== '') return switchTo(context, list);
    if (list.length === 0) return 'There is no conversation yet.';
    const lines = list.map((session, index) => toLine(session, index, context.timezone));
    return `${lines.join('\n')}\n\nGo back to one: /sessions NUMBER`;
  },
};
