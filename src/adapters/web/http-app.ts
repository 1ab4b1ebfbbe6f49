/**
 * The HTTP API and the page as one app, the same on every listener: TCP for browsers, the unix socket for the command
 * line. Requests pass, in this order: headers for browsers, source, login, route.
 */
import { type Context, Hono } from 'hono';
import { GatewayError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { addArchiveRoutes } from './archive-routes.js';
import { addCompletionRoutes } from './completion-routes.js';
import type { WebSection } from './config.js';
import { parseLogin } from './decode.js';
import { checkSource } from './guard.js';
import { addHealthRoutes } from './health-routes.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, failed } from './http-problem.js';
import type { Hub } from './hub.js';
import { addJobRoutes } from './job-routes.js';
import { readJsonBody } from './json-body.js';
import { addLinkRoutes } from './link-routes.js';
import { createLogin, type Login, type LoginOutcome } from './login.js';
import { addMediaRoutes } from './media-routes.js';
import { addMetricsRoute } from './metrics-route.js';
import { addOperatorRoutes } from './operator-routes.js';
import { addPageRoutes } from './page-routes.js';
import { addPairingRoutes } from './pairing-routes.js';
import { addPermissionRoutes } from './permission-routes.js';
import { addSessionRoutes, type Deliver } from './session-routes.js';
import { addSkillRoutes } from './skill-routes.js';

export interface HttpAppDeps {
  readonly section: WebSection;
  readonly ports: AdapterPorts;
  readonly hub: Hub;
  readonly deliver: Deliver;
}

export type HttpApp = Hono<HttpEnv>;

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const isOpen = (path: string): boolean =>
  path === '/' ||
  path === '/login' ||
  path === '/health' ||
  path === '/health/ready' ||
  path === '/favicon.ico' ||
  path.startsWith('/assets/');

export const createHttpApp = ({ section, ports, hub, deliver }: HttpAppDeps): HttpApp => {
  const app: HttpApp = new Hono();
  const { clock, logger, services } = ports;
  const maxBodyBytes = section.max_body_bytes;
  const login = section.token === undefined ? undefined : createLogin(section.token, clock);

  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
    if (!context.res.headers.has('content-security-policy'))
      context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  });

  app.use(async (context, next) => {
    if (context.env.via === 'socket') return next();
    const { method, path } = context.req;
    const { localPort } = context.env.incoming.socket;
    const problem = checkSource(
      { method, path, localPort, header: (name) => context.req.header(name) },
      section,
    );
    return problem === undefined ? next() : answerProblem(context, problem);
  });

  if (login !== undefined) addLogin(app, login, maxBodyBytes);
  else app.post('/login', (context) => context.body(null, 204));

  addPageRoutes(app);
  addHealthRoutes(app, services);
  addSessionRoutes(app, { ports, hub, deliver, maxBodyBytes });
  addMediaRoutes(app, ports.media);
  addOperatorRoutes(app, ports, maxBodyBytes);
  addPermissionRoutes(app, ports, maxBodyBytes);
  addPairingRoutes(app, services, maxBodyBytes);
  addLinkRoutes(app, services, maxBodyBytes);
  addArchiveRoutes(app, services);
  addJobRoutes(app, services, maxBodyBytes);
  addCompletionRoutes(app, { services, ports, hub, deliver, maxBodyBytes });
  addMetricsRoute(app, services);
  addSkillRoutes(app, services);

  addMissing(app);
  app.onError((error, context) => answerError(error, context, logger));
  return app;
};

const answerError = (error: Error, context: Context<HttpEnv>, logger: Logger): Response => {
  const isExpected = error instanceof GatewayError;
  // Whoever left in the middle of a request hears no answer, and nothing is wrong here.
  if (context.req.raw.signal.aborted) {
    logger.info(
      { method: context.req.method, path: context.req.path },
      'a client left before its request was whole',
    );
    return answerProblem(context, {
      status: 400,
      code: 'invalid-request',
      message: 'The request is not complete.',
    });
  }
  logger.error({ error, method: context.req.method, path: context.req.path }, 'web request failed');
  if (isExpected && error.retry.kind !== 'never')
    return answerProblem(context, {
      status: 503,
      code: 'unavailable',
      message:
        error.userText ?? 'The gateway cannot do this right now. Nothing was lost; try again in a moment.',
    });
  const text = isExpected ? error.userText : undefined;
  return answerProblem(context, {
    status: 500,
    code: 'internal',
    message: text ?? "Something went wrong inside the gateway; the gateway's log says what.",
  });
};

const tooMany = (outcome: LoginOutcome & { readonly type: 'blocked' }) => {
  const seconds = Math.ceil(outcome.retryAfterMs / 1000);
  return failed(429, 'too-many-attempts', `Too many wrong tokens. Wait ${seconds} seconds and try again.`, {
    'retry-after': String(seconds),
  }).problem;
};

const addLogin = (app: HttpApp, login: Login, maxBodyBytes: number): void => {
  const refused = failed(
    401,
    'unauthorized',
    'This gateway asks for its token (platforms.web.token): sign in on its page, or send it as `Authorization: Bearer …`.',
    { 'www-authenticate': 'Bearer' },
  ).problem;

  app.use(async (context, next) => {
    if (context.env.via === 'socket' || isOpen(context.req.path)) return next();
    if (login.hasValidCookie(context.req.header('cookie') ?? '')) return next();
    const [, token] = /^Bearer +(\S+) *$/iu.exec(context.req.header('authorization') ?? '') ?? [];
    if (token === undefined) return answerProblem(context, refused);
    const outcome = login.attempt(token, context.env.incoming.socket.remoteAddress ?? '');
    if (outcome.type === 'accepted') return next();
    return answerProblem(context, outcome.type === 'blocked' ? tooMany(outcome) : refused);
  });

  app.post('/login', async (context) => {
    const body = await readJsonBody(context, Math.min(maxBodyBytes, 4096));
    const token = body.ok ? parseLogin(body.value) : body;
    if (!token.ok) return answerProblem(context, token.problem);
    const outcome = login.attempt(token.value, context.env.incoming.socket.remoteAddress ?? '');
    if (outcome.type === 'blocked') return answerProblem(context, tooMany(outcome));
    if (outcome.type === 'refused')
      return answerProblem(context, { status: 401, code: 'unauthorized', message: 'This is not the token.' });
    const isSecure = context.req.header('origin')?.startsWith('https:') ?? false;
    context.header('set-cookie', login.issueCookie({ isSecure }));
    return context.body(null, 204);
  });
};

/** After every other route: paths that exist answer other methods with 405, the rest is 404. */
const addMissing = (app: HttpApp): void => {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
  }
  for (const [path, known] of methods) {
    const allow = [...known].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, (context) =>
      answerProblem(context, {
        status: 405,
        code: 'method-not-allowed',
        message: `This path answers ${allow} only.`,
        headers: { allow },
      }),
    );
  }
  app.notFound((context) =>
    answerProblem(context, { status: 404, code: 'not-found', message: 'There is nothing at this path.' }),
  );
};
