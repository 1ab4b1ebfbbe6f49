/**
 * A loopback server that speaks OpenAI's chat completions protocol, one world for each API key.
 *
 * 1. A refused request consumes nothing of a script, so a script cannot be emptied by a broken client.
 * 2. There is no clock: an answer is late only because it waits at a gate.
 * 3. A request is recorded before its answer begins, so a wait for it can never miss it.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, toAnswer, toRefusalAnswer } from './answer.js';
import { type Refusal, unknownKey, unknownModel, unknownUrl, wrongMethod } from './api-errors.js';
import { createControlHandler } from './control-routes.js';
import { lastUserText, messagesOf } from './conversation.js';
import { type Exchange, playAnswer } from './play.js';
import type { IssuedIds } from './reply.js';
import type { RecordedAnswer } from './script.js';
import { type AcceptedBody, judgeBody } from './validate.js';
import type { World } from './world.js';
import { createWorlds, type Worlds } from './worlds.js';

const HOST = '127.0.0.1';
const BEARER = /^Bearer\s+(\S+)$/i;
const COMPLETIONS_PATH = '/chat/completions';
const MODELS_PATH = /\/models(?:\/([^/]+))?$/;

export interface OpenAiEmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** A key becomes known by its first use; default false. */
  readonly anyKey?: boolean;
}

export interface OpenAiEmulator {
  /** `http://127.0.0.1:<port>`: what the control client takes. */
  readonly url: string;
  /** What an OpenAI client takes: `url` and `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Breaks off every open answer. */
  close(): Promise<void>;
}

/** Rejects if the port is taken. */
export async function startOpenAiEmulator(options: OpenAiEmulatorOptions = {}): Promise<OpenAiEmulator> {
  const worlds = createWorlds(options.anyKey === true);
  const ids = createIds();
  const handleControl = createControlHandler(worlds);
  const server = createServer((request, response) => {
    const path = pathOf(request);
    if (path === '/control' || path.startsWith('/control/')) handleControl(request, response);
    else handleApi(request, response, path, worlds, ids);
  });
  // A gate may hold a request for as long as a test likes, and an idle connection belongs to the client.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  const port = await listen(server, options.port ?? 0);
  const url = `http://${HOST}:${port}`;
  return { url, baseUrl: `${url}/v1`, port, close: () => closeServer(server) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      // A TCP server's address is never a pipe's name.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The random part keeps ids apart that a client stored before this process was started anew. */
function createIds(): IssuedIds {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return {
    completion: () => `chatcmpl-${run}${++count}`,
    toolCall: () => `call_${run}${++count}`,
  };
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function handleApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  worlds: Worlds,
  ids: IssuedIds,
): void {
  const call = toApiCall(request, path, worlds);
  if ('error' in call) {
    refuse(request, response, call);
  } else if (call.models !== null) {
    answerModels(response, call.world, call.models[1]);
  } else {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      answerCompletion(request, response, path, Buffer.concat(pieces), call.world, ids);
    });
  }
}

interface ApiCall {
  readonly world: World;
  /** null: a chat completion. Else the match of the models path, its first group a model's id. */
  readonly models: RegExpExecArray | null;
}

function toApiCall(request: IncomingMessage, path: string, worlds: Worlds): ApiCall | Refusal {
  const method = request.method ?? 'GET';
  const isCompletion = path.endsWith(COMPLETIONS_PATH);
  const models = isCompletion ? null : MODELS_PATH.exec(path);
  if (!isCompletion && models === null) return unknownUrl(method, path);
  if (method !== (isCompletion ? 'POST' : 'GET')) return wrongMethod(method, path);
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
  const world = key === null ? undefined : worlds.get(key);
  if (world !== undefined) return { world, models };
  worlds.unauthorizedCount += 1;
  return unknownKey(key);
}

/** The body is read to its end and thrown away, so that the connection stays usable. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  request.resume();
  request.on('end', () => sendJson(response, refusal.status, { error: refusal.error }));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function answerModels(response: ServerResponse, world: World, id: string | undefined): void {
  world.modelListCount += 1;
  const list = world.models.map((model) => ({
    id: model,
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'emulator',
  }));
  const found = id === undefined ? undefined : list.find((model) => model.id === decodeURIComponent(id));
  if (id === undefined) {
    sendJson(response, 200, { object: 'list', data: list });
  } else if (found !== undefined) {
    sendJson(response, 200, found);
  } else {
    const { status, error } = unknownModel(id);
    sendJson(response, status, { error });
  }
}

function answerCompletion(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  raw: Buffer,
  world: World,
  ids: IssuedIds,
): void {
  const verdict = judgeBody(raw.toString('utf8'), world.options, world.models);
  const { answer, recorded } =
    'refusal' in verdict ? prepareRefusal(verdict.refusal) : prepareAnswer(verdict.accepted, world, ids);
  const body = 'refusal' in verdict ? verdict.body : verdict.accepted.body;
  const exchange: Exchange = { closed: false, leave: undefined };
  const arrival = { path, headers: maskKey(request.headers), body, answer: recorded };
  const entry = world.record(arrival, raw.length, () => response.socket?.destroy());
  response.on('close', () => {
    exchange.closed = true;
    exchange.leave?.();
    world.finish(entry, response.writableFinished ? 'complete' : 'client-closed');
  });
  playAnswer(answer, response, world, entry, exchange).catch((error: unknown) =>
    failVisibly(response, error),
  );
}

interface Prepared {
  readonly answer: Answer;
  readonly recorded: RecordedAnswer;
}

function prepareRefusal(refusal: Refusal): Prepared {
  const answer = toRefusalAnswer(refusal);
  const { status, text } = answer;
  return {
    answer,
    recorded: {
      from: 'refusal',
      type: 'http',
      status,
      text,
      error: refusal.error,
      sentCount: 0,
      outcome: 'open',
    },
  };
}

function prepareAnswer(accepted: AcceptedBody, world: World, ids: IssuedIds): Prepared {
  const { from, response } = world.choose(accepted.body, lastUserText(messagesOf(accepted.body)));
  const answer = toAnswer(response, accepted, ids);
  const { status, text } = answer;
  return { answer, recorded: { from, type: response.type, status, text, sentCount: 0, outcome: 'open' } };
}

/** A script that cannot be sent (a header with a line break, say) must show, and must not end the other worlds. */
function failVisibly(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.socket?.destroy();
  else
    sendJson(response, 500, {
      error: { message: `the emulator cannot send this response: ${String(error)}` },
    });
}

function maskKey(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return { ...headers, authorization: 'Bearer ***' };
}
