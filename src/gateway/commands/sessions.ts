import type { SessionOverview } from '../../core/archive.js';
import { formatLocalTime } from '../../core/local-time.js';
import type { Command, CommandContext, Offer } from './command.js';

const toLabel = ({ title, usedAt, isCurrent }: SessionOverview, timezone: string | undefined): string =>
  `${title === '' ? '(nothing said yet)' : title} – ${formatLocalTime(usedAt, timezone)}${isCurrent ? ' – now' : ''}`;

const switchTo = async (
  { args, isRunning, resume }: CommandContext,
  list: readonly SessionOverview[],
): Promise<string> => {
  // By its place in the list for those who type; by its id from a list that may be old by now.
  const session = /^\d{1,3}$/u.test(args) ? list[Number(args) - 1] : list.find(({ id }) => id === args);
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
    const options = list.map((session) => ({
      label: toLabel(session, context.timezone),
      line: `/sessions ${session.id}`,
    }));
    return { text: 'Which conversation shall we go on with?', options } satisfies Offer;
  },
};
