import type { Pairing, PairingRequest } from '../../core/pairing.js';
import type { GatewayServices } from '../../core/services.js';
import { createSystemClock } from '../../host/system-clock.js';
import { ask } from '../ask.js';
import { CommandFailure, type Edge, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';
import { tell } from '../tell.js';
import { formatSpan } from '../time-span.js';

const role = 'hermes pairing';

interface Listing {
  readonly pending: readonly Pick<PairingRequest, 'platform' | 'user' | 'displayName' | 'expiresAt'>[];
  readonly paired: readonly Pairing[];
}

const list = async (isJson: boolean, edge: Edge): Promise<void> => {
  const alone = async ({ pairings }: GatewayServices): Promise<Listing> => {
    const { pending, paired } = await pairings.list();
    const shown = pending.map(({ codeHash: _codeHash, route: _route, ...request }) => request);
    return { pending: shown, paired };
  };
  const { pending, paired } = await ask<Listing>({ method: 'GET', path: '/api/pairings', alone }, role, edge);
  if (isJson) {
    edge.stdout.write(`${JSON.stringify({ pending, paired }, null, 2)}\n`);
    return;
  }
  const now = createSystemClock().now();
  const lines = [
    ...pending.map(
      ({ platform, user, displayName, expiresAt }) =>
        `waiting\t${platform}\t${user}\t${displayName}\tfor another ${formatSpan(expiresAt - now)}\n`,
    ),
    ...paired.map(
      ({ platform, user, displayName, approvedAt }) =>
        `let in\t${platform}\t${user}\t${displayName}\t${formatSpan(now - approvedAt)} ago\n`,
    ),
  ];
  if (lines.length === 0) edge.stderr.write('Nobody has asked for a code, and nobody was let in by one.\n');
  edge.stdout.write(lines.join(''));
};

const approve = async (platform: string, code: string, edge: Edge): Promise<void> => {
  const { pairing } = await ask<{ readonly pairing: Pairing }>(
    {
      method: 'POST',
      path: '/api/pairings/approve',
      body: { platform, code },
      isSending: true,
      alone: async ({ pairings }) => {
        const outcome = await pairings.approve(platform, code);
        if (!outcome.ok) throw new CommandFailure(outcome.message);
        return outcome;
      },
    },
    role,
    edge,
  );
  tell(edge.stderr, `${pairing.displayName} (${pairing.user}) may now write on ${platform}.\n`);
};

const revoke = async (platform: string, user: string, edge: Edge): Promise<void> => {
  await ask<unknown>(
    {
      method: 'POST',
      path: '/api/pairings/revoke',
      body: { platform, user },
      alone: async ({ pairings }) => {
        if (await pairings.revoke(platform, user)) return;
        throw new CommandFailure(`No user '${user}' of ${platform} was let in by a code.`);
      },
    },
    role,
    edge,
  );
  tell(edge.stderr, `${user} may no longer write on ${platform}.\n`);
};

const usage = 'write list, approve PLATFORM CODE or revoke PLATFORM USER';

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean' } });
  const [action, platform, name, ...rest] = positionals;
  if (action === 'list') {
    refuseWords(positionals.slice(1));
    await list(values.json === true, edge);
    return 0;
  }
  if (action !== 'approve' && action !== 'revoke') throw new UsageError(usage);
  if (platform === undefined || name === undefined) throw new UsageError(usage);
  refuseWords(rest);
  await (action === 'approve' ? approve(platform, name, edge) : revoke(platform, name, edge));
  return 0;
};
