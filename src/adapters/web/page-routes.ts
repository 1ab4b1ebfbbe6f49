import type { Context, Hono } from 'hono';
import type { HttpEnv } from './http-env.js';
import { answerProblem } from './http-problem.js';
import { loadAsset } from './page-assets.js';

/**
 * No inline script or style, nothing from elsewhere, and (where browsers know it) no way to turn text into markup: even
 * a fault in the page's own code cannot run what a model or a stranger wrote.
 */
const pagePolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const serve = async (context: Context<HttpEnv>, name: string): Promise<Response> => {
  const asset = await loadAsset(name);
  if (asset === undefined)
    return answerProblem(context, { status: 404, code: 'not-found', message: 'The page has no such file.' });
  // Asked for again each time, so that page and gateway are always of one version.
  const headers = { 'cache-control': 'no-cache', etag: asset.etag, 'content-security-policy': pagePolicy };
  if (context.req.header('if-none-match') === asset.etag) return context.body(null, 304, headers);
  return context.body(asset.bytes, 200, { ...headers, 'content-type': asset.type });
};

export const addPageRoutes = (app: Hono<HttpEnv>): void => {
  app.get('/', (context) => serve(context, 'index.html'));
  app.get('/favicon.ico', (context) => serve(context, 'icon.svg'));
  app.get('/assets/:name', (context) => serve(context, context.req.param('name')));
};
