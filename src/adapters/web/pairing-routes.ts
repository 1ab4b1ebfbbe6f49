/** Letting people in by a code, for the command line and for scripts. */
import type { Hono } from 'hono';
import type { GatewayServices } from '../../core/services.js';
import { parseApproval, parseUser } from './decode.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, failed } from './http-problem.js';
import { readJsonBody } from './json-body.js';

const answers = {
  'unknown-platform': { status: 404, code: 'not-found' },
  'wrong-code': { status: 404, code: 'not-found' },
  locked: { status: 429, code: 'too-many-attempts' },
} as const;

export const addPairingRoutes = (
  app: Hono<HttpEnv>,
  { pairings }: GatewayServices,
  maxBodyBytes: number,
): void => {
  // Of a request only what an operator needs: neither the hash of its code nor where it was made.
  app.get('/api/pairings', async (context) => {
    const { pending, paired } = await pairings.list();
    const shown = pending.map(({ codeHash: _codeHash, route: _route, ...request }) => request);
    return context.json({ pending: shown, paired });
  });

  app.post('/api/pairings/approve', async (context) => {
    const body = await readJsonBody(context, maxBodyBytes);
    const approval = body.ok ? parseApproval(body.value) : body;
    if (!approval.ok) return answerProblem(context, approval.problem);
    const outcome = await pairings.approve(approval.value.platform, approval.value.code);
    if (outcome.ok) return context.json({ pairing: outcome.pairing });
    const { status, code } = answers[outcome.reason];
    return answerProblem(context, failed(status, code, outcome.message).problem);
  });

  app.post('/api/pairings/revoke', async (context) => {
    const body = await readJsonBody(context, maxBodyBytes);
    const user = body.ok ? parseUser(body.value) : body;
    if (!user.ok) return answerProblem(context, user.problem);
    if (await pairings.revoke(user.value.platform, user.value.user)) return context.json({ revoked: true });
    const message = `No user '${user.value.user}' of ${user.value.platform} was let in by a code.`;
    return answerProblem(context, failed(404, 'not-found', message).problem);
  });
};
