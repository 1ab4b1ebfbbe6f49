/** REST v10: authorisation, rate limits, faults, JSON and multipart bodies, and the table of routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../kit/loopback-server.js';
import { type MultipartPart, parseMultipart } from '../kit/multipart.js';
import { ApiError, entityTooLarge, unauthorized } from './api-error.js';
import type { CallRecord } from './protocol.js';
import { channelRoutes, userRoutes } from './routes/channels.js';
import { interactionRoutes } from './routes/interactions.js';
import { messageRoutes } from './routes/messages.js';
import type { Route, RouteAnswer } from './routes/route.js';
import type { World } from './world.js';

const routes: readonly Route[] = [...userRoutes, ...channelRoutes, ...messageRoutes, ...interactionRoutes];

/** Bodies beyond this are refused before they are looked at. */
const MAX_BODY_BYTES = 120 * 1024 * 1024;

interface Body {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly MultipartPart[];
  /** For faults that look for a text. */
  readonly source: string;
}

async function readFields(request: IncomingMessage): Promise<Body> {
  const bytes = await readBody(request, MAX_BODY_BYTES).catch(() => {
    throw entityTooLarge();
  });
  const type = request.headers['content-type'] ?? '';
  if (bytes.length === 0) return { fields: {}, files: [], source: '' };
  if (!type.startsWith('multipart/form-data')) return parsed(bytes.toString('utf8'), []);
  const parts = parseMultipart(bytes, type);
  const payload = parts.find(({ name }) => name === 'payload_json')?.bytes.toString('utf8') ?? '{}';
  return parsed(
    payload,
    parts.filter(({ fileName }) => fileName !== undefined),
  );
}

function parsed(source: string, files: readonly MultipartPart[]): Body {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new ApiError(400, 50_109, 'The request body contains invalid JSON.');
  }
  // Routes read each field as unknown.
  const fields = Array.isArray(value) ? { list: value } : (value as Record<string, unknown>);
  return { fields, files, source };
}

/** `path` without the version. Finds its world by the token, or by the id in a callback's path. */
export async function handleRest(
  findWorld: (token: string) => World | undefined,
  findByInteraction: (path: string) => World | undefined,
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const verb = request.method ?? 'GET';
  const token = /^Bot (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
  const world = token === undefined ? findByInteraction(path) : findWorld(token);
  if (world === undefined || (token !== undefined && !world.knows(token))) {
    return sendError(response, unauthorized());
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  let record: CallRecord | undefined;
  try {
    const body = await readFields(request);
    record = world.log.begin(`${verb} ${path}`, body.fields);
    await answerCall(world, { verb, path, query, body, record }, response, left.signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (record !== undefined) record.status = error.status;
    sendError(response, error);
  } finally {
    world.watchers.touch('calls');
  }
}

interface Call {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly record: CallRecord;
}

async function answerCall(
  world: World,
  call: Call,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const fired = world.faults.fire({ call: call.record.call, body: call.body.source });
  const fault = fired?.action;
  if (fault?.kind === 'answer') {
    call.record.status = fault.status;
    return sendBody(response, fault.status, fault.body ?? { message: 'fault', code: 0 }, fault.headers ?? {});
  }
  if (fired === undefined || fault === undefined) return send(world, call, response);
  if (fault.applied) run(world, call);
  if (fault.kind === 'hold') await world.faults.hold(fired.id, signal);
  response.socket?.destroy();
}

function send(world: World, call: Call, response: ServerResponse): void {
  const headers = rateLimit(world, call);
  const { status, body } = run(world, call);
  call.record.status = status;
  sendBody(response, status, body, headers);
}

function run(world: World, { verb, path, query, body, record }: Call): RouteAnswer {
  for (const route of routes) {
    const match = route.verb === verb ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const caught = match.slice(1).map((part) => decodeURIComponent(part));
    const answer = route.run({ world, path: caught, query, body: body.fields, files: body.files });
    record.applied = true;
    return answer;
  }
  throw new ApiError(404, 0, '404: Not Found');
}

/** A bucket is a route and its channel. */
function rateLimit(world: World, { verb, path }: Call): Record<string, string> {
  if (/^\/(?:gateway|interactions|users\/@me$)/u.test(path)) return {};
  const bucket = `${verb} ${path.replace(/(\/(?:channels|webhooks)\/\d+)|\/\d+/gu, (whole, major) => major ?? (whole === '' ? '' : '/:id'))}`;
  const spent = world.spend(bucket);
  if (spent === undefined) return {};
  const headers = {
    'x-ratelimit-limit': String(spent.limit),
    'x-ratelimit-remaining': String(Math.max(0, spent.left)),
    'x-ratelimit-reset-after': String(spent.resetAfterSeconds),
    'x-ratelimit-bucket': Buffer.from(bucket).toString('hex').slice(0, 32),
  };
  if (spent.left >= 0) return headers;
  throw new ApiError(429, 0, 'You are being rate limited.', {
    headers: { ...headers, 'retry-after': String(spent.resetAfterSeconds), 'x-ratelimit-scope': 'user' },
    extra: { retry_after: spent.resetAfterSeconds, global: false },
  });
}

function sendBody(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': bytes.length }).end(bytes);
}

const sendError = (response: ServerResponse, error: ApiError): void =>
  sendBody(response, error.status, error.body(), error.headers);
