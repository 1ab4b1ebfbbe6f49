import type { Grant } from '../../core/grant.js';
import { createSystemClock } from '../../host/system-clock.js';
import { ask } from '../ask.js';
import { CommandFailure, type Edge, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';
import { tell } from '../tell.js';
import { formatSpan } from '../time-span.js';

const role = 'hermes permissions';

/** Others chose the words: nothing in them may move the cursor or look like another column. */
const toWord = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

const list = async (isJson: boolean, edge: Edge): Promise<void> => {
  const { grants } = await ask<{ readonly grants: readonly Grant[] }>(
    {
      method: 'GET',
      path: '/api/grants',
      alone: async ({ permissions }) => ({ grants: await permissions.grants() }),
    },
    role,
    edge,
  );
  if (isJson) {
    edge.stdout.write(`${JSON.stringify({ grants }, null, 2)}\n`);
    return;
  }
  const now = createSystemClock().now();
  if (grants.length === 0)
    edge.stderr.write('Nothing was allowed for more than once: whatever needs permission asks.\n');
  for (const { id, holder, tool, label, session, grantedAt } of grants) {
    const scope = session === undefined ? 'always' : 'in one conversation';
    const columns = [id, holder, tool, label, scope, `${formatSpan(now - grantedAt)} ago`];
    edge.stdout.write(`${columns.map(toWord).join('\t')}\n`);
  }
};

const revoke = async (id: string, edge: Edge): Promise<void> => {
  await ask<unknown>(
    {
      method: 'DELETE',
      path: `/api/grants/${encodeURIComponent(id)}`,
      alone: async ({ permissions }) => {
        if (!(await permissions.revoke(id)))
          throw new CommandFailure(
            `Nothing was allowed under '${id}'. \`hermes permissions list\` shows the ids.`,
          );
      },
    },
    role,
    edge,
  );
  tell(edge.stderr, `${id}: taken back. It asks again from now on.\n`);
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean' } });
  const [action, ...ids] = positionals;
  if (action === 'list') {
    refuseWords(ids);
    await list(values.json === true, edge);
    return 0;
  }
  if (action !== 'revoke' || ids.length === 0) throw new UsageError('write list or revoke ID…');
  for (const id of ids) await revoke(id, edge);
  return 0;
};
