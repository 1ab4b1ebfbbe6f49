import type { Grant } from '../../core/grant.js';
import { formatLocalTime } from '../../core/local-time.js';
import { toVisible } from '../approvals/card.js';
import type { Command, CommandContext } from './command.js';

/** A list in a chat is read at a glance. */
const maxListed = 30;

const inCode = (text: string): string => `\`${toVisible(text).replaceAll('`', 'ˋ')}\``;

const describe = (
  { tool, label, holder, session, grantedAt }: Grant,
  { isOwner, timezone }: Pick<CommandContext, 'isOwner' | 'timezone'>,
): string => {
  const whose = isOwner ? `, for ${inCode(holder)}` : '';
  const how = session === undefined ? '' : ', in its conversation only';
  return `${inCode(tool)}: ${inCode(label)}${whose}${how} (since ${formatLocalTime(grantedAt, timezone)})`;
};

const list = (context: CommandContext): string => {
  const grants = context.grants();
  if (grants.length === 0) return 'Nothing is allowed for more than once: whatever needs permission asks.';
  const lines = grants.slice(0, maxListed).map((grant, index) => `${index + 1}. ${describe(grant, context)}`);
  const more = grants.length - lines.length;
  return [
    'These do not ask again:',
    ...lines,
    ...(more > 0 ? [`… and ${more} more: \`hermes permissions list\``] : []),
    '',
    '`/permissions revoke 1` takes one back.',
  ].join('\n');
};

/** For a job that runs where nobody can be asked. */
const grantToJob = async (words: readonly string[], context: CommandContext): Promise<string> => {
  const [name = '', tool = '', ...keys] = words;
  if (!context.isOwner) return 'Only an owner of this gateway can allow something to a job.';
  if (name === '' || !/^[a-z][a-z0-9_]*$/u.test(tool))
    return 'Write `/permissions grant JOB TOOL KEY…`: a job’s id or name, the tool, and what it may be used for (`*`: everything).';
  const answer = await context.jobs.find(name);
  if (!answer.ok) return answer.problem;
  if (keys.length === 0)
    return `Say what ${inCode(tool)} may be used for: keys like a program or a target, or \`*\`.`;
  await context.grantToJob(answer.job.id, tool, keys);
  return `Whenever ${inCode(answer.job.name)} runs, ${inCode(tool)} may be used without asking for: ${keys.map(inCode).join(', ')}. /permissions takes it back.`;
};

export const permissions: Command = {
  name: 'permissions',
  description: 'List what was allowed for good, or take it back',
  run: async (context) => {
    const [action = '', name = '', ...rest] = context.args.split(/\s+/u);
    if (action === '' || action === 'list') return list(context);
    if (action === 'grant') return grantToJob(context.args.split(/\s+/u).slice(1), context);
    const grants = context.grants();
    const grant = /^\d{1,3}$/u.test(name) ? grants[Number(name) - 1] : grants.find(({ id }) => id === name);
    if (action !== 'revoke' || name === '' || rest.length > 0)
      return 'Write `/permissions` to see what was allowed, `/permissions revoke 1` to take the first back.';
    if (grant === undefined || !(await context.revokeGrant(grant)))
      return `There is no ${inCode(name)} among them. /permissions lists them.`;
    return `Taken back: ${inCode(grant.tool)}: ${inCode(grant.label)}. It asks again from now on.`;
  },
};
