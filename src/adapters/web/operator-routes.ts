/** What the command line asks for over the unix socket, and scripts over HTTP. */
import type { Hono } from 'hono';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { parseDelivery } from './decode.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem } from './http-problem.js';
import { readJsonBody } from './json-body.js';

export const addOperatorRoutes = (
  app: Hono<HttpEnv>,
  { services, ids, clock }: Pick<AdapterPorts, 'services' | 'ids' | 'clock'>,
  maxBodyBytes: number,
): void => {
  app.get('/api/status', async (context) => context.json(await services.status()));

  app.post('/api/deliveries', async (context) => {
    const body = await readJsonBody(context, maxBodyBytes);
    const delivery = body.ok ? parseDelivery(body.value) : body;
    if (!delivery.ok) return answerProblem(context, delivery.problem);
    const { to, text, files, key = ids.next('correlation'), waitMs } = delivery.value;
    const limit = new AbortController();
    const cancel = waitMs === undefined ? () => {} : clock.after(waitMs, () => limit.abort());
    const signal = AbortSignal.any([context.req.raw.signal, context.env.closing, limit.signal]);
    try {
      const deliveries = await services.send({ targets: to, text, files, key }, { signal });
      return context.json({ deliveries });
    } finally {
      cancel();
    }
  });
};
