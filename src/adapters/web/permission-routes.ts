/** Answers to requests for permission, and what was allowed for more than once. */
import type { Hono } from 'hono';
import * as z from 'zod';
import type { AdapterPorts } from '../../core/platform-definition.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, failed } from './http-problem.js';
import { ownerName, parseSession, platformId } from './ids.js';
import { readJsonBody } from './json-body.js';
import { toRequestData } from './stream-events.js';

const MAX_REASON_LENGTH = 500;

const answer = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('allow'), scope: z.enum(['once', 'session', 'always']).default('once') }),
  z.object({
    decision: z.literal('deny'),
    scope: z.enum(['once', 'session', 'always']).optional(),
    reason: z.string().trim().max(MAX_REASON_LENGTH).optional(),
  }),
]);

const problems = {
  unknown: { status: 404, code: 'not-found' },
  over: { status: 409, code: 'conflict' },
  'not-covered': { status: 400, code: 'invalid-request' },
} as const;

export const addPermissionRoutes = (
  app: Hono<HttpEnv>,
  { services: { permissions }, ids, clock }: Pick<AdapterPorts, 'services' | 'ids' | 'clock'>,
  maxBodyBytes: number,
): void => {
  // Requests of every platform for programs, those of one session for the page.
  app.get('/api/permissions', (context) => {
    const session = context.req.query('session');
    const all = permissions.pending();
    const shown =
      session === undefined
        ? all
        : all.filter(({ platform, chat }) => platform === platformId && chat === parseSession(session));
    return context.json({
      pending: shown.map((request) => ({
        ...toRequestData(request),
        platform: request.platform,
        chat: request.chat,
        // Clocks differ; how long is left does not.
        remainingMs: Math.max(0, request.expiresAt - clock.now()),
      })),
    });
  });

  app.post('/api/permissions/:id', async (context) => {
    const body = await readJsonBody(context, maxBodyBytes);
    if (!body.ok) return answerProblem(context, body.problem);
    const parsed = answer.safeParse(body.value);
    if (!parsed.success)
      return answerProblem(context, failed(400, 'invalid-request', z.prettifyError(parsed.error)).problem);
    const { data } = parsed;
    const decision =
      data.decision === 'allow'
        ? ({ decision: 'allow', scope: data.scope } as const)
        : ({
            decision: 'deny',
            ...(data.reason !== undefined && data.reason !== '' && { reason: data.reason }),
          } as const);
    const outcome = await permissions.answer(
      context.req.param('id'),
      decision,
      ownerName,
      `web/permission/${ids.next('correlation')}`,
    );
    if (outcome.ok) return context.json({ ok: true });
    const { status, code } = problems[outcome.reason];
    return answerProblem(context, failed(status, code, outcome.message).problem);
  });

  app.get('/api/grants', async (context) => context.json({ grants: await permissions.grants() }));

  app.delete('/api/grants/:id', async (context) => {
    const id = context.req.param('id');
    if (await permissions.revoke(id)) return context.json({ revoked: true });
    return answerProblem(context, failed(404, 'not-found', `Nothing was allowed under '${id}'.`).problem);
  });
};
