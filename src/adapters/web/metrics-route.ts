import type { Hono } from 'hono';
import type { GatewayServices } from '../../core/services.js';
import type { HttpEnv } from './http-env.js';

export const addMetricsRoute = (app: Hono<HttpEnv>, services: GatewayServices): void => {
  const load = async () => (await import('./metrics-registry.js')).createRegistry(services);
  let loading: ReturnType<typeof load> | undefined;
  app.get('/metrics', async (context) => {
    loading ??= load();
    const registry = await loading;
    return context.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
};
