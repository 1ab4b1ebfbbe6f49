import type { Hono } from 'hono';
import type { AdapterStatus, GatewayServices } from '../../core/services.js';
import type { HttpEnv } from './http-env.js';
import { toErrorBody } from './http-problem.js';

const toReason = ({ title, state, detail }: AdapterStatus): string =>
  detail === undefined ? `${title} is ${state}.` : `${title} is ${state}: ${detail}`;

/** For supervisors and load balancers, and for the page's own status line: open to whoever reaches the port. */
export const addHealthRoutes = (app: Hono<HttpEnv>, services: GatewayServices): void => {
  app.get('/health', async (context) => {
    const { version, startedAt, model, adapters, queues, problems } = await services.status();
    const isWell = problems.length === 0 && adapters.every(({ state }) => state === 'connected');
    const { provider, name, isDemo } = model;
    return context.json({
      status: isWell ? 'ok' : 'degraded',
      version,
      startedAt,
      // Where it is reached is nobody's business who has no token.
      model: { provider, name, isDemo },
      adapters,
      queues,
      cron: await services.jobs.summary(),
      problems,
    });
  });
  app.get('/health/ready', async (context) => {
    const { adapters } = await services.status();
    const reasons = adapters.filter(({ state }) => state !== 'connected').map(toReason);
    if (reasons.length === 0) return context.json({ ready: true });
    const body = toErrorBody({ code: 'not-ready', message: reasons.join(' ') });
    return context.json({ ready: false, reasons, ...body }, 503);
  });
};
