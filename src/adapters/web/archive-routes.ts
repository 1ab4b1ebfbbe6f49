/** Conversations of all platforms, for the command line and for scripts; and the deletion of a page's own. */
import type { Context, Hono } from 'hono';
import type { GatewayServices } from '../../core/services.js';
import { explainFinding, type ListedSession } from '../../core/session-service.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, type Checked, failed, passed } from './http-problem.js';
import { parseSession, platformId } from './ids.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;
const parseLimit = (text: string | undefined): Checked<number> => {
  if (text === undefined) return passed(DEFAULT_LIMIT);
  const limit = Number(text);
  if (/^\d+$/u.test(text) && limit >= 1 && limit <= MAX_LIMIT) return passed(limit);
  return failed(400, 'invalid-request', `limit is a number from 1 to ${MAX_LIMIT}.`);
};

const busy = 'It is being worked on right now. Send /stop there or wait, then delete it again.';

const findSession = async (
  context: Context<HttpEnv, '/api/archive/:name'>,
  { sessions }: GatewayServices,
): Promise<Checked<ListedSession>> => {
  const name = context.req.param('name');
  const finding = await sessions.find(name);
  if (finding.type === 'one') return passed(finding.session);
  const message = explainFinding(finding, name);
  return finding.type === 'none' ? failed(404, 'not-found', message) : failed(409, 'conflict', message);
};

export const addArchiveRoutes = (app: Hono<HttpEnv>, services: GatewayServices): void => {
  const { sessions } = services;
  const timezone = sessions.timezone === undefined ? {} : { timezone: sessions.timezone };

  app.get('/api/archive', async (context) => {
    const limit = parseLimit(context.req.query('limit'));
    if (!limit.ok) return answerProblem(context, limit.problem);
    return context.json({ sessions: await sessions.list({ limit: limit.value }), ...timezone });
  });

  app.get('/api/archive/:name', async (context) => {
    const found = await findSession(context, services);
    if (!found.ok) return answerProblem(context, found.problem);
    const session = found.value;
    return context.json({ session, messages: await sessions.transcript(session.id), ...timezone });
  });

  app.delete('/api/archive/:name', async (context) => {
    const found = await findSession(context, services);
    if (!found.ok) return answerProblem(context, found.problem);
    const outcome = await sessions.delete(found.value.id);
    if (outcome === 'running') return answerProblem(context, failed(409, 'conflict', busy).problem);
    // Gone meanwhile is gone.
    return context.json({ session: found.value });
  });

  app.delete('/api/sessions/:session', async (context) => {
    const chat = parseSession(context.req.param('session'));
    if (chat === undefined)
      return answerProblem(context, failed(404, 'not-found', 'There is no such conversation.').problem);
    const { running } = await sessions.deleteChat({ platform: platformId, chat });
    if (running > 0) return answerProblem(context, failed(409, 'conflict', busy).problem);
    return context.body(null, 204);
  });
};
